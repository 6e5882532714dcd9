import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { hasAny, SheetId, SheetName, sheetSecrets, TabTitle } from './input.ts';
import { Sheet, sheetSecretsOf, withWarnings } from './sheet-output.ts';

export const updateSheet = defineTool({
  name: 'update_sheet',
  title: 'Update a sheet',
  description:
    'Rename a connected sheet, change its tab or, over REST only, its credentials. Access is verified immediately. Changing the tab resets the sync baseline.',
  keywords: {
    en: ['rename a sheet', 'other tab', 'switch tabs', 'new credentials for a sheet'],
    es: ['cambiar de pestaña', 'renombrar una hoja', 'otra pestaña', 'nuevas credenciales de la hoja'],
  },
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  dangerous: { page: '/sheets', scope: 'connections:write', when: hasAny(sheetSecrets) },
  rest: { route: 'PATCH /sync/sheet/{sheet_id}', extraInput: sheetSecrets },
  input: z.object({ sheet_id: SheetId, name: SheetName.optional(), sheet_name: TabTitle.optional() }),
  output: Sheet,
  run: async ({ sheet_id: id, name, sheet_name: sheetName, ...input }, call) => {
    const { app, caller, signal } = call;
    const change = { name, sheetName, secrets: sheetSecretsOf(input) };
    return withWarnings(await app.sync.sheets.update(caller.accountId, id, change, signal), call);
  },
  examples: [
    { title: 'A new name', given: givenDemo, input: { sheet_id: '<connect_sheet.id>', name: 'Warehouse' } },
  ],
});
