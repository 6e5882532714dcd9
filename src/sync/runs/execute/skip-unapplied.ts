import type { Sql } from '../../../platform/database/database.ts';
import { createChangeStore } from '../store/change-store.ts';

/** Gives up what a run that has ended has not begun, a batch at a time. */
export async function skipUnapplied(sql: Sql, runId: string): Promise<void> {
  const changes = createChangeStore(sql);
  let batch = await changes.nextPlanned(runId, 0);
  while (batch !== undefined) {
    await changes.skipPlanned(runId, batch);
    batch = await changes.nextPlanned(runId, batch);
  }
}
