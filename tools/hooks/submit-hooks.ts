import { z } from 'zod';
import { STYLE_IDS } from '../../src/hooks/styles.ts';
import { localizeHookNote } from '../../src/language.ts';
import { defineTool } from '../define.ts';
import { HookLanguage, HookText, hookLists, listHooks, Platform, Topic } from './hook-request.ts';

const Refused = z.object({
  index: z.number().meta({ description: 'Place among those submitted, from 0' }),
  text: z.string(),
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
});

export const submitHooks = defineTool({
  name: 'submit_hooks',
  title: 'Submit hooks you wrote',
  description:
    'Hand in hooks you wrote yourself: each is checked against the limits of the platform and earlier hooks, scored and kept in the history. What cannot be kept comes back with what to change; correct it and submit it again. Costs nothing of the quota. To have hooks written use generate_hooks.',
  toolset: 'hooks',
  effect: 'create',
  scope: 'hooks:write',
  rate: 'generate',
  route: 'POST /api/v1/hooks/submit',
  status: 200,
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
    success: z.boolean().meta({ description: 'True when every hook was kept' }),
    topic: z.string(),
    ...hookLists,
    refused: z.array(Refused),
    provider: z.string().meta({ description: 'client: written by you' }),
    generation_id: z.string().nullable().meta({ description: 'null when none was kept' }),
  }),
  run: async (input, { app, caller, locale }) => {
    const { id, hooks, refused } = await app.hooks.submitting.submit(caller, input, locale);
    return {
      success: refused.length === 0,
      topic: input.topic,
      ...listHooks(hooks),
      refused: refused.map(({ index, text, problems }) => ({
        index,
        text,
        problems: problems.map(({ code, note }) => ({
          code,
          message: note ? localizeHookNote(note, locale) : code,
        })),
      })),
      provider: 'client',
      generation_id: id,
    };
  },
  examples: [
    {
      title: 'two hooks, one of them too long for the platform',
      input: {
        topic: 'sourdough bread',
        hooks: [
          { text: 'Your sourdough is not flat. Your fridge is cold.', style: 'contrarian' },
          {
            text: 'The reason why nobody who bakes sourdough bread at home ever gets it to rise as high as the bakery around the corner does',
            style: 'curiosity',
          },
        ],
        platform: 'youtube_shorts',
        language: 'en',
      },
    },
  ],
});
