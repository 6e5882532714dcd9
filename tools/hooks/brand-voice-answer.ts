import { z } from 'zod';
import type { BrandVoice as Voice } from '../../src/hooks/brand-voices.ts';
import type { InputKey } from '../../src/language.ts';
import { HookLanguage } from './hook-request.ts';

const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}+$/u, 'one_line' satisfies InputKey);

/** What its owner says of a voice. */
export const voiceFields = {
  name: Name,
  samples: z
    .array(z.string().trim().min(1).max(500))
    .max(10)
    .default([])
    .meta({ description: 'Texts that sound right' }),
  do: z.string().trim().max(1000).default('').meta({ description: 'How to write' }),
  avoid: z.string().trim().max(1000).default('').meta({ description: 'What to leave out' }),
  forbidden_words: z
    .array(z.string().trim().min(1).max(60))
    .max(100)
    .default([])
    .meta({ description: 'A hook with one of these is not delivered' }),
  language: HookLanguage.optional(),
};

/** A brand voice in answers. */
export const BrandVoice = z.object({
  id: z.string().meta({ description: 'For brand_voice_id' }),
  name: z.string(),
  samples: z.array(z.string()),
  do: z.string(),
  avoid: z.string(),
  forbidden_words: z.array(z.string()),
  language: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

const Fields = z.object(voiceFields);

export function voiceOf({ language, ...fields }: z.output<typeof Fields>): Voice {
  return { ...fields, language: language ?? null };
}

/** The voice of the examples. */
export const MILL = {
  name: 'The Mill',
  samples: ['Bread first. Talk later.'],
  do: 'Dry and short, as to a neighbour.',
  avoid: 'Jokes about carbohydrates.',
  forbidden_words: ['artisanal'],
  language: 'en',
} as const;

export const SOME_VOICE = 'voi_01khzjq5vb3nq8w2d7rt0c';
