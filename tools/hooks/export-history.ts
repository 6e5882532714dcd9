import { z } from 'zod';
import { HistoryFormat } from '../../src/hooks/history/history-format.ts';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';
import { givenGeneration } from './history-output.ts';
import { Platform } from './hook-request.ts';

export const exportHistory = defineTool({
  name: 'export_history',
  title: 'Export hook history',
  description:
    'Export all generations, or those that match, as one CSV, JSON or text file with hooks, scores and feedback, newest first. In CSV, text that starts like a formula gets a leading apostrophe. At most 64 MB. Requires the Pro plan.',
  keywords: {
    en: ['export hooks to csv, excel or json', 'download all my hooks', 'spreadsheet of every hook'],
    es: [
      'descargar el historial en csv, excel o json',
      'exportar todos mis ganchos',
      'hoja con todos los ganchos',
    ],
  },
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  rest: { route: 'GET /api/v1/history/export', sendsFile: true },
  mcp: {
    view: ({ filename, bytes, url, expires_at }) =>
      `${filename}, ${bytes} bytes: ${url} (until ${expires_at})`,
  },
  job: true,
  input: z.object({
    format: HistoryFormat.default('csv'),
    q: z.string().max(200).optional().meta({ description: 'Text in the topic' }),
    platform: Platform.optional(),
    since: z.iso.date().optional().meta({ description: 'First day (UTC)' }),
    until: z.iso.date().optional().meta({ description: 'Last day (UTC)' }),
  }),
  output: Delivered,
  run: async (input, { app, caller, deliver }) =>
    deliver(await app.hooks.historyExport.export(caller.accountId, input)),
  examples: [
    {
      title: 'Hooks about bread, for a spreadsheet',
      given: givenGeneration.given,
      input: { format: 'csv', q: 'bread' },
    },
  ],
});
