import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { SheetId, SheetName, sheetSecrets, TabTitle } from './input.ts';
import { Sheet, sheetSecretsOf } from './sheet-answer.ts';

export const updateSheet = defineTool({
  name: 'update_sheet',
  title: 'Change a sheet',
  description:
    'Change what a connected sheet is called here, its tab, or, over REST, what opens it. The spreadsheet is opened at once to see that it is right. After another tab, configurations begin anew.',
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  rest: { route: 'PATCH /sync/sheet/{id}', extraInput: sheetSecrets },
  input: z.object({ id: SheetId, name: SheetName.optional(), sheet_name: TabTitle.optional() }),
  output: Sheet,
  run: ({ id, name, sheet_name: sheetName, ...input }, { app, caller, signal }) =>
    app.sync.sheets.update(caller.accountId, id, { name, sheetName, secrets: sheetSecretsOf(input) }, signal),
  examples: [
    { title: 'another name', given: givenDemo, input: { id: '<connect_sheet.id>', name: 'Warehouse' } },
  ],
});
