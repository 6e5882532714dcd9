import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import { Direction } from '../../src/sync/config.ts';
import type { NewRun, RunCaller } from '../../src/sync/runs/runs.ts';
import type { Call } from '../contract/define.ts';

/** The input of a sync: a configuration, or a store, a sheet and a direction. */
export const runOrder = {
  config_id: z.string().max(100).optional(),
  store_id: z.string().max(100).optional(),
  sheet_id: z.string().max(100).optional(),
  direction: Direction.optional().meta({ description: 'With store_id and sheet_id' }),
  initial: z
    .enum(['store', 'sheet'])
    .optional()
    .meta({ description: 'Side to keep where a first two_way run differs' }),
  add_columns: z
    .boolean()
    .optional()
    .meta({ description: 'Add mapped columns that the tab lacks, filled from the store' }),
};

type RunOrder = { readonly [Field in keyof typeof runOrder]?: z.output<(typeof runOrder)[Field]> };

/** @throws Fault validation_failed.run_order, and those of the configuration */
export async function orderOf(input: RunOrder, { app, caller }: Call): Promise<NewRun> {
  const {
    config_id: configId,
    store_id: storeId,
    sheet_id: sheetId,
    direction,
    initial,
    add_columns,
  } = input;
  const request = { ...(initial && { initial }), ...(add_columns && { add_columns }) };
  if (configId && !storeId && !sheetId && !direction) return { config_id: configId, request };
  if (configId || !storeId || !sheetId || !direction) throw new Fault('validation_failed.run_order');
  const config = await app.sync.configs.implicitFor(caller.accountId, storeId, sheetId, direction);
  return { config_id: config.id, request };
}

export function runCaller({ caller }: Call): RunCaller {
  return { accountId: caller.accountId, actor: caller.actor };
}
