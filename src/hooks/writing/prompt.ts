import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Prompts } from '../../ai/prompts.ts';
import type { Brief, Message } from '../../ai/writer.ts';
import type { BrandVoice } from '../brand-voices.ts';
import { PLATFORMS, type PlatformId } from '../platforms.ts';
import { WORN_OPENERS } from '../scoring/cliches.ts';
import { STYLES, type StyleId } from '../styles.ts';
import { languageOf } from '../text/language.ts';
import type { HookRequest } from './generation-request.ts';

/** A hook as its writer gives it: style and pattern are the writer's claim. */
const RawHook = z.object({
  text: z.string(),
  style: z.string(),
  why: z.string(),
  pattern: z.string(),
});
type RawHook = z.output<typeof RawHook>;

export type WrittenHooks = { hooks: RawHook[] };

/** What is known of a request before anybody writes. */
export type PromptParts = {
  readonly request: Omit<HookRequest, 'apiKey'>;
  readonly platform: PlatformId;
  /** Undefined: that of the topic. */
  readonly language: string | undefined;
  /** The language of the topic, as far as one can see. */
  readonly guess: string;
  readonly styles: readonly StyleId[];
  readonly voice?: BrandVoice | undefined;
  /** Hooks the account has had, the latest first. */
  readonly earlier: readonly string[];
};

const TOKENS_A_HOOK = 220;
const TOKENS_BEFORE = 400;
/** So many earlier hooks tell a model what to stay away from; all of them are compared afterwards. */
const EARLIER_SHOWN = 20;

/**
 * The order for so many hooks. Everything the caller wrote goes as one JSON object in the user's turn, where nothing in
 * it can pass for instructions.
 */
export function briefOf(prompts: Prompts, parts: PromptParts, count: number): Brief<WrittenHooks> {
  return {
    instructions: instructionsOf(prompts, parts),
    messages: [{ role: 'user', text: JSON.stringify(materialOf(parts, count)) }],
    answer: { name: 'hooks', schema: answerOf(parts.styles) },
    maxTokens: TOKENS_BEFORE + count * TOKENS_A_HOOK,
  };
}

/** The same order once more, for what is missing, with what was wrong with the answer before. */
export function topUpOf(
  brief: Brief<WrittenHooks>,
  said: WrittenHooks,
  {
    missing,
    accepted,
    refused,
  }: { missing: number; accepted: readonly string[]; refused: readonly object[] },
): Brief<WrittenHooks> {
  const wanted = { count: missing, already_taken: accepted, could_not_be_used: refused };
  const more: readonly Message[] = [
    { role: 'assistant', text: JSON.stringify(said) },
    { role: 'user', text: JSON.stringify(wanted) },
  ];
  return { ...brief, messages: [...brief.messages, ...more] };
}

function instructionsOf(prompts: Prompts, { platform, guess, styles }: PromptParts): string {
  const { label, hard, visible, spokenSeconds } = PLATFORMS[platform];
  const own = languageOf(guess) ?? 'en';
  return prompts.fill('hooks', {
    platform: label,
    // A hook that uses up what a platform takes is an essay.
    hard: Math.min(hard, LONGEST_ASKED),
    visible,
    spokenSeconds,
    worn: WORN_OPENERS[own].slice(0, 20),
    styles: styles.map((id) => {
      const { does, avoidWhen, examples } = STYLES[id];
      return { id, does, avoidWhen, examples: examples[own] };
    }),
  });
}

const LONGEST_ASKED = 300;

function materialOf({ request, language, voice, earlier }: PromptParts, count: number) {
  const { topic, tone, audience, payoff } = request;
  return {
    topic,
    count,
    ...(language && { language }),
    ...(tone && { tone }),
    ...(audience && { audience }),
    ...(payoff && { payoff }),
    ...(voice && { brand_voice: voiceOf(voice) }),
    ...(earlier.length > 0 && { earlier_hooks: earlier.slice(0, EARLIER_SHOWN) }),
  };
}

function voiceOf({ name, samples, do: like, avoid, forbidden_words }: BrandVoice) {
  return { name, samples, do: like, avoid, forbidden_words };
}

/** Which styles there are is told and not demanded: one wrong label is no reason to have the whole answer again. */
function answerOf(styles: readonly StyleId[]): z.ZodType<WrittenHooks> {
  // Not in the order they are told in, which an account's own luck decides.
  const ids = styles.toSorted();
  const key = ids.join();
  const known = answers.get(key);
  if (known) return known;
  const style = z.string().meta({ enum: ids, description: 'Id of the style' });
  const hook = RawHook.extend({
    text: z.string().meta({ description: 'The hook, ready to use' }),
    style,
    why: z.string().meta({ description: 'Why it works, one short sentence in the language of the hook' }),
    pattern: z.string().meta({ description: 'The shape it follows, in a few words' }),
  });
  const answer = z.object({ hooks: z.array(hook) });
  answers.set(key, answer);
  return answer;
}

// Making a schema, and turning it into a JSON Schema, takes longer than all the rest of an order.
const answers = new LRUCache<string, z.ZodType<WrittenHooks>>({ max: 100 });
