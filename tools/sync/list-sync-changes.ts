import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { ChangeRecord, presentChange } from './change-output.ts';
import { givenRun } from './demo-example.ts';

export const listSyncChanges = defineTool({
  name: 'list_sync_changes',
  title: 'List sync changes',
  description:
    'List what a sync run or plan changes, cell by cell and in the order it is applied, with both values and the reason a cell was skipped. Filter with state.',
  keywords: {
    en: ['what did the sync change', 'which rows, cells or prices were modified', 'old and new values'],
    es: ['qué cambió la sincronización', 'qué filas, celdas o precios modificó', 'valores antes y después'],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/history/{run_id}/rows' },
  input: z.object({
    run_id: z.string().max(100),
    state: ChangeRecord.shape.state.optional(),
    ...paging,
  }),
  output: page(ChangeRecord),
  run: async ({ run_id: id, ...filter }, call) => {
    const { app, caller } = call;
    const { items, ...rest } = await app.sync.runs.rows(caller.accountId, id, filter);
    return { items: items.map((row) => presentChange(row, call)), ...rest };
  },
  examples: [
    { title: 'The first three cells', given: givenRun, input: { run_id: '<run_sync.run_id>', limit: 3 } },
  ],
});
