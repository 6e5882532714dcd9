import type { Sql } from '../../platform/database.ts';
import type { Run } from '../runs/run.ts';
import { createBatches } from './batches.ts';
import {
  appendNewRows,
  insertChanges,
  type NumberedChange,
  type PlannedChange,
  shiftBatches,
} from './changes-store.ts';
import { windows } from './windows.ts';

/** Changes that are kept in memory. */
const CHUNK = 2_000;

/** Variants of which one statement appends those that have no row. */
const WINDOW = 5_000;

/** Changes one statement moves to other batches. */
const LINED = 20_000;

export type ChangeWriter = {
  /** The changes of one row, in the order of the rows. */
  row(changes: readonly PlannedChange[]): Promise<void>;
  /** Appends the variants that have no row. Answers how many there are. */
  append(rows: AppendedRows): Promise<number>;
  /** After the last. */
  finish(): Promise<void>;
};

type AppendedRows = {
  readonly fields: readonly string[];
  readonly ownKey: boolean;
  readonly usedRows: number;
  readonly variants: number;
};

/** Writes a plan down in chunks, numbered and in batches. */
export function createChangeWriter(sql: Sql, run: Run): ChangeWriter {
  const batches = createBatches();
  let waiting: NumberedChange[] = [];
  let seq = 0;
  let appended = 0;

  return {
    async row(planned) {
      const numbers = batches.row(planned);
      waiting.push(...planned.map((change, nth) => ({ ...change, batch: numbers[nth] ?? 0 })));
      if (waiting.length >= CHUNK) await flush();
    },

    async append({ usedRows, variants, ...rows }) {
      await flush();
      const at = batches.appending(rows.fields.length);
      for (const window of windows(0, variants, WINDOW)) {
        const begun = { row: usedRows + appended, room: at.room - appended, seq };
        const added = await appendNewRows(sql, run, window, { ...rows, ...at, ...begun });
        appended += added.rows;
        seq += added.changes;
      }
      return appended;
    },

    async finish() {
      await flush();
      const line = batches.line(appended > 0);
      if (!line) return;
      for (const window of windows(0, seq, LINED)) await shiftBatches(sql, run.id, window, line);
    },
  };

  async function flush(): Promise<void> {
    const full = waiting;
    waiting = [];
    if (full.length > 0) await insertChanges(sql, run, seq + 1, full);
    seq += full.length;
  }
}
