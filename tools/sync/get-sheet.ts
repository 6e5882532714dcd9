import { z } from 'zod';
import { contentTag } from '../../src/platform/content-tag.ts';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { SheetId } from './input.ts';
import { Sheet, withWarnings } from './sheet-output.ts';

export const getSheet = defineTool({
  name: 'get_sheet',
  title: 'Get a sheet',
  description:
    'Get a connected Google Sheets tab: its headers at the last check, locale and connection status. Does not contact Google; to read the headers again, use test_sheet.',
  keywords: {
    en: ['sheet headers', 'columns of a connected spreadsheet', 'sheet details', 'sheet status'],
    es: ['encabezados de la hoja', 'columnas de la hoja', 'detalles de la hoja', 'estado de la hoja'],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/sheet/{sheet_id}', etag: contentTag },
  input: z.object({ sheet_id: SheetId }),
  output: Sheet,
  run: async ({ sheet_id: id }, call) =>
    withWarnings(await call.app.sync.sheets.get(call.caller.accountId, id), call),
  examples: [{ title: 'The demo sheet', given: givenDemo, input: { sheet_id: '<connect_sheet.id>' } }],
});
