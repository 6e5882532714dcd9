import { z } from 'zod';
import { HistoryFormat } from '../../src/hooks/history/history-format.ts';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';
import { GenerationId, givenGeneration, SUBMITTED } from './history-output.ts';

export const downloadGeneration = defineTool({
  name: 'download_generation',
  title: 'Download a generation',
  description:
    'Download the hooks of one generation as a file: plain text on every plan, CSV or JSON on the Pro plan. For the whole history, use export_history; to read hooks, use get_generation.',
  keywords: {
    en: ['download one set of hooks as txt, csv or json', 'file of these hooks'],
    es: ['descargar una generación', 'bajar unos ganchos en txt o csv', 'archivo de estos ganchos'],
  },
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  rest: { route: 'GET /api/v1/history/{generation_id}/download', sendsFile: true },
  mcp: {
    view: ({ filename, bytes, url, expires_at }) =>
      `${filename}, ${bytes} bytes: ${url} (until ${expires_at})`,
  },
  input: z.object({ generation_id: GenerationId, format: HistoryFormat.default('txt') }),
  output: Delivered,
  run: async ({ generation_id: id, format }, { app, caller, deliver }) =>
    deliver(await app.hooks.historyExport.download(caller.accountId, id, format)),
  examples: [{ title: 'As plain text', ...givenGeneration, input: { generation_id: SUBMITTED } }],
});
