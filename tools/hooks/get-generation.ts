import { z } from 'zod';
import { Usage } from '../../src/ai/ai.ts';
import { defineTool } from '../define.ts';
import {
  GenerationId,
  givenGeneration,
  HistoryItem,
  RatedHook,
  SOME_GENERATION,
  sayGeneration,
} from './history-answer.ts';

export const getGeneration = defineTool({
  name: 'get_generation',
  title: 'Get a generation',
  description: 'One generation of the history with its hooks, their scores and what was said of them.',
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  route: 'GET /api/v1/history/{id}',
  input: z.object({ id: GenerationId }),
  output: HistoryItem.extend({
    details: z.array(RatedHook),
    model: z.string().nullable(),
    usage: Usage.nullable(),
    requested: z.number(),
  }),
  run: async ({ id }, { app, caller }) => {
    const generation = await app.hooks.history.get(caller.accountId, id);
    const { hooks: details, model, usage, requested } = generation;
    return { ...sayGeneration(generation), details, model, usage, requested };
  },
  examples: [{ title: 'two hooks about bread', ...givenGeneration, input: { id: SOME_GENERATION } }],
});
