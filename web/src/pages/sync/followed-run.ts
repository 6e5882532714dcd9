import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { follow } from '../../api/follow.ts';
import { getSyncRun, listSyncChanges, listSyncRuns } from '../../api/operations.gen.ts';
import { keyOf } from '../../api/read.ts';
import { isRunning, type RunRecord } from './run-state.tsx';

/** Not oftener than a person can read, however fast the server writes. */
const ROWS_AGAIN_MS = 1_000;

/** Follows a run until it ends: its figures at every event of the server, and its changes as they are written. */
export async function followRun(id: string, queries: QueryClient, signal: AbortSignal): Promise<void> {
  const readRows = () => queries.invalidateQueries({ queryKey: [listSyncChanges] });
  let rowsAt = 0;
  const show = (state: RunRecord) => {
    queries.setQueryData(keyOf(getSyncRun, { run_id: id }), state);
    if (Date.now() - rowsAt < ROWS_AGAIN_MS) return;
    rowsAt = Date.now();
    void readRows();
  };
  const last = await follow<RunRecord>({
    path: `/sync/history/${encodeURIComponent(id)}/events`,
    isEnded: (state) => !isRunning(state),
    show,
    read: () => call(getSyncRun, { run_id: id }, signal),
    signal,
  });
  if (last === undefined) return;
  void readRows();
  void queries.invalidateQueries({ queryKey: [listSyncRuns] });
}
