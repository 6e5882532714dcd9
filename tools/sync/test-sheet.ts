import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { SheetId } from './input.ts';
import { Sheet } from './sheet-answer.ts';

export const testSheet = defineTool({
  name: 'test_sheet',
  title: 'Test a sheet',
  description: 'Open a connected sheet to see that its tokens still work, and note the columns it has now.',
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  rest: { route: 'POST /sync/sheet/{id}/test' },
  input: z.object({ id: SheetId }),
  output: Sheet,
  run: ({ id }, { app, caller, signal }) => app.sync.sheets.test(caller.accountId, id, signal),
  examples: [{ title: 'the demo sheet opens', given: givenDemo, input: { id: '<connect_sheet.id>' } }],
});
