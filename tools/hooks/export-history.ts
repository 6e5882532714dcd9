import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';
import { givenGeneration, HistoryFormat } from './history-answer.ts';
import { Platform } from './hook-request.ts';

export const exportHistory = defineTool({
  name: 'export_history',
  title: 'Export the history',
  description:
    'All generations, or those found, as one file with their hooks, scores and feedback, the latest first. In csv a text that begins like a formula has an apostrophe before it. At most 64 MB. Part of the Pro plan.',
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
    q: z.string().max(200).optional().meta({ description: 'Part of the topic' }),
    platform: Platform.optional(),
    since: z.iso.date().optional().meta({ description: 'First day, UTC' }),
    until: z.iso.date().optional().meta({ description: 'Last day, UTC' }),
  }),
  output: Delivered,
  run: async (input, { app, caller, deliver }) =>
    deliver(await app.hooks.historyExport.export(caller.accountId, input)),
  examples: [
    {
      title: 'what there is about bread, for a spreadsheet',
      given: givenGeneration.given,
      input: { format: 'csv', q: 'bread' },
    },
  ],
});
