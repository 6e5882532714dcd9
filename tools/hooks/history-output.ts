import { z } from 'zod';
import type { Generation } from '../../src/hooks/history/generation-repo.ts';
import { Hook } from '../../src/hooks/hook.ts';

/** A generation as lists show it. */
export const HistoryItem = z.object({
  id: z.string(),
  topic: z.string(),
  platform: z.string().nullable(),
  date: z.iso.datetime(),
  count: z.number(),
  hooks: z.array(z.string()),
  styles_used: z.array(z.string()).meta({ description: 'Styles in the order of hooks' }),
  provider: z.string().meta({ description: 'AI provider, or client for hooks the caller wrote' }),
  language: z.string().nullable(),
});

/** The feedback on a hook. */
export const feedback = {
  copied: z.boolean().nullable(),
  used: z.boolean().nullable(),
  winner: z.boolean().nullable(),
  metric: z.number().nullable(),
  rated_at: z.iso.datetime().nullable(),
};

/** A hook as the history knows it. */
export const RatedHook = Hook.extend(feedback);

export const GenerationId = z
  .string()
  .max(64)
  .meta({ description: 'Generation ID from generation_id or list_history' });

export function presentGeneration({ id, topic, platform, date, hooks, provider, language }: Generation) {
  return {
    id,
    topic,
    platform,
    date,
    count: hooks.length,
    hooks: hooks.map(({ text }) => text),
    styles_used: hooks.map(({ style }) => style),
    provider,
    language,
  };
}

/** What comes before the examples that need a generation: its answer has the id as `generation_id`. */
export const givenGeneration = {
  given: [
    [
      'submit_hooks',
      {
        topic: 'Sourdough bread',
        hooks: [
          { text: 'Your sourdough is not flat. Your fridge is cold.', style: 'contrarian' },
          { text: 'Which sourdough step do you skip on Mondays?', style: 'question' },
        ],
        platform: 'tiktok',
        language: 'en',
      },
    ],
  ],
} as const;

/** In examples: the generation of `givenGeneration`. */
export const SUBMITTED = '<submit_hooks.generation_id>';
