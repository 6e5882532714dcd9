import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { givenDemo } from './demo-example.ts';
import { Sheet } from './sheet-output.ts';

export const listSheets = defineTool({
  name: 'list_sheets',
  title: 'List sheets',
  description:
    'List connected Google Sheets tabs with status and ID, the sheet_id of preview_sync and run_sync. A person connects sheets; never ask for credentials in chat. For a demo, use connect_demo.',
  keywords: {
    en: ['my sheets', 'connected google sheets', 'sheet id', 'which spreadsheets do I have'],
    es: ['mis hojas', 'hojas conectadas', 'id de la hoja', 'qué hojas tengo'],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/sheets', list: true },
  mcp: { core: true },
  input: z.object(paging),
  output: page(Sheet),
  run: (input, { app, caller }) => app.sync.sheets.list(caller.accountId, input),
  examples: [{ title: 'The demo sheet', given: givenDemo, input: {} }],
});
