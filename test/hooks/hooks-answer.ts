import type { ModelAnswer } from '../peers/model-answer.ts';

/** Hooks about bread that nothing stands against, none like another. */
export const BREAD = [
  ['Your sourdough is not flat. Your fridge is cold.', 'curiosity'],
  ['Which sourdough step do you skip on Mondays?', 'question'],
  ['At 5 a.m. my sourdough rang the smoke alarm.', 'storytelling'],
  ['Feed your starter before Friday, not after lunch.', 'urgency'],
  ['Four signs of ripe dough, and none is a clock.', 'list'],
] as const;

export const raw = ([text, style]: readonly [string, string]) => ({
  text,
  style,
  why: 'It leaves a gap.',
  pattern: 'not this, but that',
});

export function hooksAnswer(...hooks: readonly (readonly [string, string])[]): ModelAnswer {
  return { text: JSON.stringify({ hooks: hooks.map(raw) }) };
}
