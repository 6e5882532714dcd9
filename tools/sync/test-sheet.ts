import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { SheetId } from './input.ts';
import { Sheet, withWarnings } from './sheet-output.ts';

export const testSheet = defineTool({
  name: 'test_sheet',
  title: 'Test a sheet connection',
  description:
    'Verify that a connected sheet still opens with its credentials, and update its status and columns. Changes nothing in the spreadsheet.',
  keywords: {
    en: [
      'check sheet access',
      'can the spreadsheet be opened',
      'refresh the headers',
      'is google sheets still connected',
    ],
    es: [
      'probar la hoja',
      'acceso a la hoja',
      'se puede abrir la hoja de google',
      'refrescar los encabezados',
    ],
  },
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  rest: { route: 'POST /sync/sheet/{sheet_id}/test' },
  input: z.object({ sheet_id: SheetId }),
  output: Sheet,
  run: async ({ sheet_id: id }, call) =>
    withWarnings(await call.app.sync.sheets.test(call.caller.accountId, id, call.signal), call),
  examples: [{ title: 'The demo sheet', given: givenDemo, input: { sheet_id: '<connect_sheet.id>' } }],
});
