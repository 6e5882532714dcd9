import { z } from 'zod';
import { Usage } from '../../src/ai/ai.ts';
import { defineTool } from '../contract/define.ts';
import {
  GenerationId,
  givenGeneration,
  HistoryItem,
  presentGeneration,
  RatedHook,
  SUBMITTED,
} from './history-output.ts';

export const getGeneration = defineTool({
  name: 'get_generation',
  title: 'Get a generation',
  description:
    "Get one generation from the hook history with each hook's score, reason and feedback. To find its ID, use list_history.",
  keywords: {
    en: ['one generation', 'details of one set of hooks', 'scores and feedback of earlier hooks'],
    es: ['ver generación', 'detalles de unos ganchos', 'puntuaciones y comentarios', 'un grupo de ganchos'],
  },
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  rest: { route: 'GET /api/v1/history/{generation_id}' },
  mcp: { app: { name: 'hooks', id: ({ id }) => id } },
  input: z.object({ generation_id: GenerationId }),
  output: HistoryItem.extend({
    details: z.array(RatedHook),
    model: z.string().nullable(),
    usage: Usage.nullable(),
    requested: z.number(),
  }),
  run: async ({ generation_id: id }, { app, caller }) => {
    const generation = await app.hooks.history.get(caller.accountId, id);
    const { hooks: details, model, usage, requested } = generation;
    return { ...presentGeneration(generation), details, model, usage, requested };
  },
  examples: [{ title: 'Two hooks about bread', ...givenGeneration, input: { generation_id: SUBMITTED } }],
});
