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

/** The settings of a voice. */
export const voiceFields = {
  name: Name,
  samples: z
    .array(z.string().trim().min(1).max(500))
    .max(10)
    .default([])
    .meta({ description: 'Sample texts in this voice' }),
  do: z.string().trim().max(1000).default('').meta({ description: 'What to do, in your words' }),
  avoid: z.string().trim().max(1000).default('').meta({ description: 'What to avoid' }),
  forbidden_words: z
    .array(z.string().trim().min(1).max(60))
    .max(100)
    .default([])
    .meta({ description: 'Words that no delivered hook contains' }),
  language: HookLanguage.optional(),
};

/** A brand voice in answers. */
export const BrandVoice = z.object({
  id: z.string().meta({ description: 'ID for brand_voice_id' }),
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
  do: 'Dry and short, as to a neighbor.',
  avoid: 'Jokes about carbohydrates.',
  forbidden_words: ['artisanal'],
  language: 'en',
} as const;

/** In examples: the voice that save_brand_voice returned. */
export const SAVED_VOICE = '<save_brand_voice.id>';
