import { z } from 'zod';
import { PLATFORM_IDS } from '../../src/hooks/platforms.ts';
import { HOOK_FLAGS } from '../../src/hooks/scoring/flags.ts';
import { type EvaluatedHook, scoreHooks as scoreTexts } from '../../src/hooks/scoring/scoring.ts';
import { LANGUAGE_TAG } from '../../src/hooks/text/language.ts';
import { type InputKey, type Locale, localizeHookReason } from '../../src/language.ts';
import { defineTool } from '../contract/define.ts';
import { HookText } from './hook-request.ts';

const Scored = z.object({
  text: z.string().meta({ description: 'Hook without numbering, links and surrounding quotes' }),
  score: z.number().meta({ description: '0 to 100: points reached, as a share of the points that apply' }),
  components: z.array(z.object({ name: z.string(), points: z.number(), of: z.number(), reason: z.string() })),
  flags: z
    .array(z.enum(HOOK_FLAGS))
    .meta({ description: 'What to check before publishing; does not change the score' }),
  chars: z.number().meta({ description: 'Length in characters as people count them' }),
  seconds: z.number().meta({ description: 'Speaking time in seconds' }),
  problems: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .meta({ description: 'Problems that block use; empty when it is usable' }),
});

export const scoreHooks = defineTool({
  name: 'score_hooks',
  title: 'Score hooks',
  description:
    'Score existing hooks without saving them. Returns a craft score with reasons, length, speaking time, flags such as claims that need proof, and problems that block use on the platform. The same hook always scores the same; it does not predict views. To save hooks, use submit_hooks.',
  keywords: {
    en: [
      'rate the quality of a hook',
      'is this opening line good',
      'evaluate',
      'check my hook',
      'craft score',
      'how good is my hook',
      'points for a headline',
    ],
    es: [
      'puntuar ganchos',
      'calificar un gancho',
      'es bueno este gancho',
      'evaluar',
      'calidad',
      'qué tan bueno es un gancho',
      'puntos para un titular',
    ],
  },
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  rest: { route: 'POST /api/v1/hooks/score' },
  input: z.object({
    texts: z.array(HookText).min(1).max(20).meta({ description: 'Hooks, one per item' }),
    platform: z.enum(PLATFORM_IDS).default('generic').meta({ description: 'Its limits apply' }),
    language: z
      .string()
      .max(35)
      .regex(LANGUAGE_TAG, 'language_tag' satisfies InputKey)
      .optional()
      .meta({ description: 'BCP 47 tag, such as es-MX; default the language of the response' }),
    topic: z.string().max(500).optional().meta({ description: 'What the content is about' }),
  }),
  output: z.object({
    results: z.array(Scored).meta({ description: 'Results in the order of texts' }),
    notice: z.string(),
  }),
  run: async ({ texts, platform, language, topic }, { locale }) => ({
    results: scoreTexts(texts, { platform, language: language ?? locale, topic }).map((hook) =>
      say(hook, locale),
    ),
    notice: localizeHookReason({ key: 'notice.score' }, locale),
  }),
  examples: [
    {
      title: 'Two hooks for YouTube Shorts',
      input: {
        texts: ['Your sourdough is not flat. Your fridge is cold.', 'In this video I talk about bread'],
        platform: 'youtube_shorts',
        language: 'en',
        topic: 'sourdough bread',
      },
    },
    {
      title: 'In Spanish, for any platform',
      input: { texts: ['¿Y si el pan no fuera el problema?'], language: 'es' },
    },
  ],
});

function say({ text, score, components, flags, chars, seconds, problems }: EvaluatedHook, locale: Locale) {
  return {
    text,
    score,
    components: components.map(({ reason, ...part }) => ({
      ...part,
      reason: localizeHookReason(reason, locale),
    })),
    flags,
    chars,
    seconds,
    problems: problems.map(({ code, reason }) => ({ code, message: localizeHookReason(reason, locale) })),
  };
}
