import type { Sql } from '../../../platform/database/database.ts';
import { nextPlanned, skipPlanned } from '../repositories/change-repo.ts';

/** Skips the unsent changes of a run that has ended, a batch at a time. */
export async function skipUnapplied(sql: Sql, runId: string): Promise<void> {
  let batch = await nextPlanned(sql, runId, 0);
  while (batch !== undefined) {
    await skipPlanned(sql, runId, batch);
    batch = await nextPlanned(sql, runId, batch);
  }
}
