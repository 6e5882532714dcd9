import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { Cascade, SheetId } from './input.ts';

export const deleteSheet = defineTool({
  name: 'delete_sheet',
  title: 'Delete a sheet',
  description:
    'Let go of a connected sheet and its tokens; nothing changes in the spreadsheet itself. With cascade its configurations go too, with the history of their runs.',
  toolset: 'sync',
  effect: 'delete',
  scope: 'sync:write',
  rest: { route: 'DELETE /sync/sheet/{id}' },
  input: z.object({ id: SheetId, cascade: Cascade }),
  output: Deleted,
  run: async ({ id, cascade }, { app, caller }) => {
    await app.sync.sheets.delete(caller.accountId, id, { cascade });
    return { deleted: true as const };
  },
  examples: [{ title: 'one that nothing uses', given: givenDemo, input: { id: '<connect_sheet.id>' } }],
});
