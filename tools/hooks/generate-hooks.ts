import { z } from 'zod';
import { Usage } from '../../src/ai/ai.ts';
import { defineTool } from '../define.ts';
import { sayGenerated } from './generated-answer.ts';
import { hookLists, hookOptions, optionsOf, Topic } from './hook-request.ts';
import { hooksQuota, readQuota } from './quota-answer.ts';

export const generateHooks = defineTool({
  name: 'generate_hooks',
  title: 'Generate hooks',
  description:
    'Have an outside model write hooks, the opening lines of videos and posts, for a topic: each with style, craft score and why it works, within the limits of the platform, none like an earlier one. Costs one unit for each hook delivered. If you can write them yourself, submit_hooks is enough.',
  toolset: 'hooks',
  core: true,
  effect: 'external',
  scope: 'hooks:write',
  anonymous: true,
  rate: 'generate',
  route: 'POST /api/v1/generate',
  input: z.object({ topic: Topic, ...hookOptions }),
  missing: { topic: 'topic_required.topic' },
  restInput: {
    api_key: z
      .string()
      .max(500)
      .meta({ description: 'Your own key at the AI provider, for this call alone; it is kept nowhere' }),
  },
  output: z.object({
    success: z.boolean(),
    topic: z.string(),
    ...hookLists,
    provider: z.string(),
    model: z.string().nullable(),
    usage: Usage.nullable(),
    quota: hooksQuota.nullable().meta({ description: 'null for visitors without an account' }),
    requested: z.number(),
    quota_limited: z.boolean().meta({ description: 'Fewer were left than asked for' }),
    generation_id: z.string().nullable().meta({ description: 'null where nothing is kept, as of visitors' }),
    notice: z.string().optional(),
  }),
  events: {
    hook: 'one of details, as soon as the model has finished it and it passed the checks',
    usage: 'tokens and cost, or null, after the last hook',
  },
  run: async ({ topic, api_key: apiKey, ...input }, { app, caller, signal, locale, event, effectKey }) => {
    const generated = await app.hooks.generator.generate(
      caller,
      { ...optionsOf(input), topic, apiKey: apiKey?.trim() || undefined },
      { signal, reads: locale, key: effectKey, onHook: event && ((hook) => event('hook', hook)) },
    );
    event?.('usage', generated.usage);
    return {
      success: true,
      ...sayGenerated(generated, locale),
      quota: await readQuota(app.quota, caller, generated.balance),
    };
  },
  examples: [
    {
      title: 'three hooks from patterns, without a model',
      input: { topic: 'sourdough bread at home', count: 3, provider: 'builtin', language: 'en' },
    },
    {
      title: 'by a model, for a short',
      input: { topic: 'reading a lease', count: 3, provider: 'provider_a', platform: 'youtube_shorts' },
    },
  ],
});
