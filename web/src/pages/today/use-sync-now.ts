import { useState } from 'react';
import { useLocation } from 'wouter';
import {
  getSyncRun,
  listSheets,
  listStores,
  listSyncConfigs,
  listSyncRuns,
  previewSync,
  runSync,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useFollowedRun } from '../sync/follow-run.ts';
import { isRunning } from '../sync/run-state.tsx';

/** A short sync ends while the request waits; a longer one is followed until it ends. */
const WAIT_SECONDS = 3;

export type SyncNow = ReturnType<typeof useSyncNow>;

/** One click syncs the first store to the first sheet, as it follows from the connections alone. */
export function useSyncNow() {
  const [, go] = useLocation();
  const [started, setStarted] = useState<string>();
  const stores = useRead(listStores, { limit: 200 });
  const sheets = useRead(listSheets, { limit: 200 });
  const store = stores.data?.items[0];
  const sheet = sheets.data?.items[0];
  const { data: run } = useRead(getSyncRun, { run_id: started ?? '' }, { enabled: started !== undefined });
  useFollowedRun(run);
  const sync = useWrite(runSync, {
    changes: [listSyncRuns, listSyncConfigs],
    onDone: ({ run_id }) => setStarted(run_id),
  });
  const preview = useWrite(previewSync, {
    changes: [],
    onDone: ({ plan_id }) => go(`/runs/plan/${plan_id}`),
  });
  const order = {
    store_id: store?.id ?? '',
    sheet_id: sheet?.id ?? '',
    direction: 'store_to_sheet' as const,
  };
  return {
    isKnown: stores.data !== undefined && sheets.data !== undefined,
    stores: stores.data?.items ?? [],
    sheets: sheets.data?.items ?? [],
    store,
    sheet,
    run,
    isBusy: sync.isBusy || (run !== undefined && isRunning(run)),
    isPlanning: preview.isBusy,
    fault: sync.fault ?? preview.fault,
    start: () => sync.write({ ...order, wait_seconds: WAIT_SECONDS }),
    showFirst: () => preview.write(order),
  };
}
