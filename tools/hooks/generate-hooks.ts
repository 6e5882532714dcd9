import { z } from 'zod';
import { Usage } from '../../src/ai/ai.ts';
import { defineTool } from '../contract/define.ts';
import { presentGenerated } from './generated-output.ts';
import { fillTopics, hookLists, hookOptions, optionsOf, Topic } from './hook-request.ts';
import { hooksQuota, readQuota } from './quota-output.ts';
import { orWriteYourself } from './write-yourself.ts';

export const generateHooks = defineTool({
  name: 'generate_hooks',
  title: 'Generate hooks with AI',
  description:
    'Generate hooks (opening lines for videos and posts) with an AI model. Returns each with style, craft score and reason, within platform limits and unlike earlier ones. Costs one unit per delivered hook. If you write hooks yourself, use submit_hooks.',
  keywords: {
    en: [
      'write hooks',
      'catchy first lines',
      'opening lines for tiktok',
      'ideas for a post',
      'openings for a reel',
      'viral phrases',
      'headlines for shorts',
      'give me ideas',
    ],
    es: [
      'generar ganchos',
      'escribir ganchos',
      'primeras frases',
      'frases para tiktok',
      'ideas para un post',
      'frases para empezar un reel',
      'frases virales',
      'titulares para videos',
      'dame ideas',
    ],
  },
  toolset: 'hooks',
  effect: 'external',
  scope: 'hooks:write',
  anonymous: true,
  rate: 'generate',
  rest: {
    route: 'POST /api/v1/generate',
    extraInput: {
      api_key: z
        .string()
        .max(500)
        .meta({ description: 'Your own API key of the AI provider, for this call only; never stored' }),
    },
    events: {
      hook: 'one item of details, as soon as the hook is finished and passes the checks',
      usage: 'tokens and cost, or null, after the last hook',
    },
  },
  mcp: { core: true, app: { name: 'hooks', id: ({ generation_id: id }) => id } },
  input: z.object({ topic: Topic, ...hookOptions }),
  missing: { topic: 'topic_required.topic' },
  output: z.object({
    success: z.boolean(),
    topic: z.string(),
    ...hookLists,
    provider: z.string(),
    model: z.string().nullable(),
    usage: Usage.nullable(),
    quota: hooksQuota.nullable().meta({ description: 'Quota after the call; null for anonymous callers' }),
    requested: z.number(),
    quota_limited: z
      .boolean()
      .meta({ description: 'True when the quota covered fewer hooks than requested' }),
    generation_id: z
      .string()
      .nullable()
      .meta({ description: 'ID in the history; null when nothing is stored, as for anonymous callers' }),
    notice: z.string().optional(),
  }),
  run: async ({ topic: asked, api_key: apiKey, ...input }, call) => {
    const { app, caller, signal, locale, event, effectKey } = call;
    const [topic = asked] = await fillTopics([asked], call);
    const writing = app.hooks.generator.generate(
      caller,
      { ...optionsOf(input), topic, apiKey: apiKey?.trim() || undefined },
      { signal, reads: locale, key: effectKey, onHook: event && ((hook) => event('hook', hook)) },
    );
    const generated = await orWriteYourself(call, writing);
    event?.('usage', generated.usage);
    return {
      success: true,
      ...presentGenerated(generated, call),
      quota: await readQuota(app.quota, caller, generated.balance),
    };
  },
  examples: [
    {
      title: 'Three hooks from patterns, without a model',
      input: { topic: 'sourdough bread at home', count: 3, provider: 'builtin', language: 'en' },
    },
    {
      title: 'Three hooks by a model, for YouTube Shorts',
      input: { topic: 'reading a lease', count: 3, provider: 'provider_a', platform: 'youtube_shorts' },
    },
  ],
});
