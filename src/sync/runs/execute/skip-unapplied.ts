import type { Sql } from '../../../platform/database.ts';
import { nextPlanned, skipPlanned } from '../repositories/change-repository.ts';

/** Gives up what a run that has ended has not begun, a batch at a time. */
export async function skipUnapplied(sql: Sql, runId: string): Promise<void> {
  let batch = await nextPlanned(sql, runId, 0);
  while (batch !== undefined) {
    await skipPlanned(sql, runId, batch);
    batch = await nextPlanned(sql, runId, batch);
  }
}
