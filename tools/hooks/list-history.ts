import { z } from 'zod';
import { PLATFORM_IDS } from '../../src/hooks/platforms.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { givenGeneration, HistoryItem, presentGeneration } from './history-output.ts';

export const listHistory = defineTool({
  name: 'list_history',
  title: 'List hook history',
  description:
    'List generated and submitted hooks, newest generation first. q searches topics; filter with platform. The free plan shows the latest 20. For scores and feedback, use get_generation.',
  keywords: {
    en: [
      'past hooks',
      'hooks I made before',
      'earlier hooks',
      'search my hooks',
      'find a generation',
      'hooks of last week',
      'hooks generated earlier',
    ],
    es: [
      'historial de ganchos',
      'ganchos anteriores',
      'ganchos que hice',
      'buscar mis ganchos',
      'ganchos de la semana pasada',
      'ganchos generados antes',
    ],
  },
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  rest: { route: 'GET /api/v1/history' },
  input: z.object({
    q: z.string().max(200).optional(),
    platform: z.enum(PLATFORM_IDS).optional(),
    ...paging,
  }),
  output: page(HistoryItem).extend({
    limited_to: z.number().optional().meta({ description: 'Number of latest generations the plan shows' }),
  }),
  run: async (input, { app, caller }) => {
    const { items, ...rest } = await app.hooks.history.list(caller.accountId, input);
    return { items: items.map(presentGeneration), ...rest };
  },
  examples: [
    { title: 'An empty history', input: {} },
    {
      title: 'By a word in the topic',
      given: givenGeneration.given,
      input: { q: 'bread', platform: 'tiktok' },
    },
  ],
});
