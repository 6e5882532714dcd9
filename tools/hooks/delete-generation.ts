import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { GenerationId, givenGeneration, SUBMITTED } from './history-output.ts';

export const deleteGeneration = defineTool({
  name: 'delete_generation',
  title: 'Delete a generation',
  description: 'Permanently delete a generation and its hooks from the history. Used units are not refunded.',
  keywords: {
    en: ['delete hooks from the history', 'remove one set of hooks', 'clear'],
    es: ['borrar ganchos del historial', 'eliminar una generación', 'quitar unos ganchos'],
  },
  toolset: 'hooks',
  effect: 'delete',
  scope: 'hooks:write',
  rest: { route: 'DELETE /api/v1/history/{generation_id}' },
  input: z.object({ generation_id: GenerationId }),
  output: Deleted,
  run: async ({ generation_id: id }, { app, caller }) => {
    await app.hooks.history.delete(caller.accountId, id);
    return { deleted: true as const };
  },
  examples: [{ title: 'A generation of two hooks', ...givenGeneration, input: { generation_id: SUBMITTED } }],
});
