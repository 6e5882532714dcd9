import { z } from 'zod';
import { HOOK_FLAGS } from '../../src/hooks/flags.ts';
import type { JudgedHook } from '../../src/hooks/judge-hook.ts';
import { LANGUAGE_TAG } from '../../src/hooks/languages.ts';
import { PLATFORM_IDS } from '../../src/hooks/platforms.ts';
import { scoreHooks as scoreTexts } from '../../src/hooks/score-hooks.ts';
import { type Locale, localizeHookNote } from '../../src/language.ts';
import { defineTool } from '../define.ts';
import { HookText } from './hook-request.ts';

const Scored = z.object({
  text: z.string().meta({ description: 'Without numbering, links and quotes around it' }),
  score: z.number().meta({ description: '0 to 100, the points reached of those its components give' }),
  components: z.array(z.object({ name: z.string(), points: z.number(), of: z.number(), reason: z.string() })),
  flags: z.array(z.enum(HOOK_FLAGS)).meta({ description: 'What to look at; costs no points' }),
  chars: z.number().meta({ description: 'Characters as people count them' }),
  seconds: z.number().meta({ description: 'How long it takes to say' }),
  problems: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .meta({ description: 'Why it cannot be used as it is; empty when it can' }),
});

export const scoreHooks = defineTool({
  name: 'score_hooks',
  title: 'Score hooks',
  description:
    'Judge hooks somebody wrote: a craft score with the reason of each component, length for the platform, time to say it, flags such as claims that need proof, and what stands against using it. The same hook always scores the same; it does not predict views. Writes and stores nothing.',
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  route: 'POST /api/v1/hooks/score',
  input: z.object({
    texts: z.array(HookText).min(1).max(20).meta({ description: 'One hook each' }),
    platform: z.enum(PLATFORM_IDS).default('generic').meta({ description: 'Where they will stand' }),
    language: z
      .string()
      .max(35)
      .regex(LANGUAGE_TAG)
      .optional()
      .meta({ description: 'BCP 47, such as es-MX; the language of the answer when left out' }),
    topic: z.string().max(500).optional().meta({ description: 'What the content is about' }),
  }),
  output: z.object({
    results: z.array(Scored).meta({ description: 'In the order of texts' }),
    notice: z.string(),
  }),
  run: async ({ texts, platform, language, topic }, { locale }) => ({
    results: scoreTexts(texts, { platform, language: language ?? locale, topic }).map((hook) =>
      say(hook, locale),
    ),
    notice: localizeHookNote({ key: 'notice.score' }, locale),
  }),
  examples: [
    {
      title: 'two hooks for a short',
      input: {
        texts: ['Your sourdough is not flat. Your fridge is cold.', 'In this video I talk about bread'],
        platform: 'youtube_shorts',
        language: 'en',
        topic: 'sourdough bread',
      },
    },
    {
      title: 'in Spanish, anywhere',
      input: { texts: ['¿Y si el pan no fuera el problema?'], language: 'es' },
    },
  ],
});

function say({ text, score, components, flags, chars, seconds, problems }: JudgedHook, locale: Locale) {
  return {
    text,
    score,
    components: components.map(({ reason, ...part }) => ({
      ...part,
      reason: localizeHookNote(reason, locale),
    })),
    flags,
    chars,
    seconds,
    problems: problems.map(({ code, note }) => ({ code, message: localizeHookNote(note, locale) })),
  };
}
