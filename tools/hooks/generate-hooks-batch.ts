import { z } from 'zod';
import { Usage } from '../../src/ai/ai.ts';
import type { BatchItem } from '../../src/hooks/writing/batch.ts';
import { localizeFault, type Reader } from '../../src/language.ts';
import { defineTool } from '../contract/define.ts';
import { presentGenerated } from './generated-output.ts';
import { fillTopics, hookLists, hookOptions, optionsOf, Topic } from './hook-request.ts';
import { hooksQuota, readQuota } from './quota-output.ts';

const Generation = z.object({
  ...hookLists,
  provider: z.string(),
  model: z.string().nullable(),
  usage: Usage.nullable(),
  requested: z.number(),
  quota_limited: z.boolean(),
  generation_id: z.string().nullable(),
  notice: z.string().optional(),
});

const Item = z.object({
  topic: z.string(),
  generation: Generation.optional(),
  error: z.object({ code: z.string(), detail: z.string() }).optional(),
});

export const generateHooksBatch = defineTool({
  name: 'generate_hooks_batch',
  title: 'Generate hooks for many topics',
  description:
    'Generate hooks with AI for up to 50 topics with the same options. A topic that fails reports its error and the others continue; only delivered hooks cost units. Can take minutes: over REST, send `Prefer: respond-async` to get a job. Requires the Pro plan. For one topic, use generate_hooks.',
  keywords: {
    en: [
      'bulk hooks',
      'hooks for several products',
      'many topics at once',
      'a list of topics',
      'in one go',
      'list of forty topics',
      'twenty products',
    ],
    es: [
      'ganchos en lote',
      'ganchos para varios productos',
      'muchos temas a la vez',
      'lista de temas',
      'de una vez',
    ],
  },
  toolset: 'hooks',
  effect: 'external',
  job: true,
  scope: 'hooks:write',
  rate: 'generate',
  cost: ({ topics }) => topics.length,
  rest: { route: 'POST /api/v1/generate/batch' },
  input: z.object({ topics: z.array(Topic).min(1).max(50), ...hookOptions }),
  output: z.object({
    items: z
      .array(Item)
      .meta({ description: 'Results in the order of topics, each with generation or error' }),
    generated: z.number(),
    failed: z.number(),
    quota: hooksQuota.nullable(),
  }),
  run: async ({ topics, ...input }, call) => {
    const { app, caller, signal, locale, progress, effectKey } = call;
    const options = { ...optionsOf(input), topics: await fillTopics(topics, call) };
    const listener = { signal, reads: locale, progress, key: effectKey };
    const items = await app.hooks.batch.generate(caller, options, listener);
    return {
      items: items.map((item) => presentItem(item, call)),
      generated: items.filter(({ state }) => state === 'generated').length,
      failed: items.filter(({ state }) => state === 'failed').length,
      quota: await readQuota(app.quota, caller),
    };
  },
  examples: [
    {
      title: 'Two topics from patterns',
      input: {
        topics: ['sourdough bread', 'reading a lease'],
        count: 3,
        provider: 'builtin',
        language: 'en',
        // Written at the same time, neither knows of the other's.
        avoid_history: false,
      },
    },
  ],
});

function presentItem(item: BatchItem, reader: Reader) {
  const { topic } = item;
  if (item.state === 'failed') {
    const { detail } = localizeFault(item.fault, reader);
    return { topic, error: { code: item.fault.code, detail } };
  }
  const { topic: _same, ...generation } = presentGenerated(item.generated, reader);
  return { topic, generation };
}
