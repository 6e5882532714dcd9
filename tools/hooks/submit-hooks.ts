import { z } from 'zod';
import { STYLE_IDS } from '../../src/hooks/styles.ts';
import { localizeHookReason } from '../../src/language.ts';
import { defineTool } from '../contract/define.ts';
import { HookLanguage, HookText, hookLists, listHooks, Platform, Topic } from './hook-request.ts';

const Refused = z.object({
  index: z.number().meta({ description: 'Index among the submitted hooks, from 0' }),
  text: z.string(),
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
});

export const submitHooks = defineTool({
  name: 'submit_hooks',
  title: 'Submit your own hooks',
  description:
    'Check, score and save hooks you wrote yourself. Returns each saved hook with its score, and for each rejected one what to change. Uses no quota. To have an AI model write them, use generate_hooks.',
  keywords: {
    en: ['save my own hooks', 'keep hooks I wrote', 'store lines written by me', 'hooks of my own'],
    es: [
      'guardar mis propios ganchos',
      'ganchos que escribí',
      'conservar ganchos míos',
      'frases mías',
      'ganchos propios',
    ],
  },
  toolset: 'hooks',
  effect: 'create',
  scope: 'hooks:write',
  rate: 'generate',
  mcp: { app: { name: 'hooks', id: ({ generation_id: id }) => id } },
  rest: { route: 'POST /api/v1/hooks/submit', status: 200 },
  input: z.object({
    topic: Topic,
    hooks: z
      .array(
        z.strictObject({
          text: HookText,
          style: z.enum(STYLE_IDS),
          why: z.string().max(300).optional().meta({ description: 'Why it works' }),
        }),
      )
      .min(1)
      .max(20),
    platform: Platform.optional(),
    language: HookLanguage.optional(),
  }),
  missing: { topic: 'topic_required.topic' },
  output: z.object({
    success: z.boolean().meta({ description: 'True when every hook was saved' }),
    topic: z.string(),
    ...hookLists,
    refused: z.array(Refused),
    provider: z.string().meta({ description: 'Always client: hooks the caller wrote' }),
    generation_id: z
      .string()
      .nullable()
      .meta({ description: 'ID in the history; null when no hook was saved' }),
  }),
  run: async (input, { app, caller, locale }) => {
    const { id, hooks, refused } = await app.hooks.submissions.submit(caller, input, locale);
    return {
      success: refused.length === 0,
      topic: input.topic,
      ...listHooks(hooks),
      refused: refused.map(({ index, text, problems }) => ({
        index,
        text,
        problems: problems.map(({ code, reason }) => ({
          code,
          message: reason ? localizeHookReason(reason, locale) : code,
        })),
      })),
      provider: 'client',
      generation_id: id,
    };
  },
  examples: [
    {
      title: 'Two hooks, one too long for the platform',
      input: {
        topic: 'sourdough bread',
        hooks: [
          { text: 'Your sourdough is not flat. Your fridge is cold.', style: 'contrarian' },
          {
            text: 'The reason why no one who bakes sourdough bread at home ever gets it to rise as high as the bakery around the corner does',
            style: 'curiosity',
          },
        ],
        platform: 'youtube_shorts',
        language: 'en',
      },
    },
  ],
});
