import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { Cascade, SheetId } from './input.ts';

export const deleteSheet = defineTool({
  name: 'delete_sheet',
  title: 'Disconnect a sheet',
  description:
    'Disconnect a sheet and delete its credentials. Nothing changes in the spreadsheet. Fails while sync configurations use the sheet; cascade=true deletes them and their run history too.',
  keywords: {
    en: ['unlink google sheets', 'remove a spreadsheet', 'disconnect'],
    es: ['desvincular hoja', 'desconectar la hoja', 'quitar una hoja de cálculo'],
  },
  toolset: 'sync',
  effect: 'delete',
  scope: 'sync:write',
  rest: { route: 'DELETE /sync/sheet/{sheet_id}' },
  input: z.object({ sheet_id: SheetId, cascade: Cascade }),
  output: Deleted,
  confirm: async ({ sheet_id: id, cascade }, { app, caller }) => {
    const { name } = await app.sync.sheets.get(caller.accountId, id);
    return { key: cascade ? 'delete_sheet_cascade' : 'delete_sheet', params: { name } };
  },
  run: async ({ sheet_id: id, cascade }, { app, caller }) => {
    await app.sync.sheets.delete(caller.accountId, id, { cascade });
    return { deleted: true as const };
  },
  examples: [
    { title: 'A sheet without configurations', given: givenDemo, input: { sheet_id: '<connect_sheet.id>' } },
  ],
});
