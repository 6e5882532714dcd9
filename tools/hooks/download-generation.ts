import { z } from 'zod';
import { defineTool } from '../define.ts';
import { Delivered } from '../delivered.ts';
import { GenerationId, givenGeneration, HistoryFormat, SOME_GENERATION } from './history-answer.ts';

export const downloadGeneration = defineTool({
  name: 'download_generation',
  title: 'Download a generation',
  description:
    'Download the hooks of one generation as a file: plain text on every plan, CSV or JSON on the Pro plan. For the whole history, use export_history; to read hooks, use get_generation.',
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  route: 'GET /api/v1/history/{id}/download',
  delivers: true,
  input: z.object({ id: GenerationId, format: HistoryFormat.default('txt') }),
  output: Delivered,
  run: async ({ id, format }, { app, caller, deliver }) =>
    deliver(await app.hooks.historyExport.download(caller.accountId, id, format)),
  view: ({ filename, bytes, url, expires_at }) => `${filename}, ${bytes} bytes: ${url} (until ${expires_at})`,
  examples: [{ title: 'As plain text', ...givenGeneration, input: { id: SOME_GENERATION } }],
});
