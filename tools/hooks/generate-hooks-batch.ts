import { z } from 'zod';
import { Usage } from '../../src/ai/writer.ts';
import type { BatchItem } from '../../src/hooks/batch.ts';
import { type Locale, localizeFault } from '../../src/language.ts';
import { defineTool } from '../define.ts';
import { sayGenerated } from './generated-answer.ts';
import { hookLists, hookOptions, optionsOf, Topic } from './hook-request.ts';
import { hooksQuota, readQuota } from './quota-answer.ts';

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
    'Have hooks written for up to 50 topics with the same options, a few topics at a time. A topic that fails says why and leaves the others be; only delivered hooks cost units. It can take minutes: over REST send `Prefer: respond-async` for a job. Part of the Pro plan. For one topic use generate_hooks.',
  toolset: 'hooks',
  effect: 'external',
  job: true,
  scope: 'hooks:write',
  rate: 'generate',
  cost: ({ topics }) => topics.length,
  route: 'POST /api/v1/generate/batch',
  input: z.object({ topics: z.array(Topic).min(1).max(50), ...hookOptions }),
  output: z.object({
    items: z.array(Item).meta({ description: 'In the order of topics, each with generation or error' }),
    generated: z.number(),
    failed: z.number(),
    quota: hooksQuota.nullable(),
  }),
  run: async ({ topics, ...input }, { app, caller, signal, locale, progress, effectKey }) => {
    const options = { ...optionsOf(input), topics };
    const listener = { signal, reads: locale, progress, key: effectKey };
    const items = await app.hooks.batch.generate(caller, options, listener);
    return {
      items: items.map((item) => sayItem(item, locale)),
      generated: items.filter(({ state }) => state === 'generated').length,
      failed: items.filter(({ state }) => state === 'failed').length,
      quota: await readQuota(app.quota, caller),
    };
  },
  examples: [
    {
      title: 'two topics from patterns',
      plan: 'pro',
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

function sayItem(item: BatchItem, locale: Locale) {
  const { topic } = item;
  if (item.state === 'failed') {
    const { detail } = localizeFault(item.fault, locale);
    return { topic, error: { code: item.fault.code, detail } };
  }
  const { topic: _same, ...generation } = sayGenerated(item.generated, locale);
  return { topic, generation };
}
