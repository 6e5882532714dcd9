import type { Sql } from '../../platform/database/database.ts';
import type { Change } from '../change.ts';
import { MAX_SET_QUANTITIES } from '../ports/store-client.ts';
import type { Run } from '../runs/run.ts';
import { isQuantity } from '../values/field.ts';
import { windows } from './join-repo.ts';
import {
  appendNewRows,
  insertChanges,
  type NumberedChange,
  type PlannedChange,
  shiftBatches,
} from './planned-change-repo.ts';

export type ChangeWriter = {
  /** The headers, before all rows. `alone`: the cells of a new column wait for its header. */
  header(changes: readonly PlannedChange[], options: { readonly alone: boolean }): Promise<void>;
  /** The changes of one row, in the order of the rows. */
  row(changes: readonly PlannedChange[]): Promise<void>;
  /** The values of new products, each in one batch. */
  create(products: readonly (readonly PlannedChange[])[]): Promise<void>;
  /** Cells of rows that have no other changes. */
  cells(changes: readonly PlannedChange[]): Promise<void>;
  /** Appends the variants that have no row; returns how many. */
  append(rows: AppendedRows): Promise<number>;
  /** After the last. Returns how many there are. */
  finish(): Promise<number>;
};

type AppendedRows = {
  readonly fields: readonly string[];
  readonly ownKey: boolean;
  readonly usedRows: number;
  readonly variants: number;
};

type WriterOptions = { readonly maxDirect: number; readonly writeRows: number };

/**
 * Saves the changes of a plan in chunks of `writeRows`, numbered and in batches. More products than `maxDirect` are one
 * batch.
 */
export function createChangeWriter(
  sql: Sql,
  run: Run,
  { maxDirect, writeRows }: WriterOptions,
): ChangeWriter {
  const batches = createBatches(maxDirect);
  let waiting: NumberedChange[] = [];
  let seq = 0;
  let appended = 0;

  return {
    async header(planned, { alone }) {
      await row(planned);
      if (alone) batches.endCells();
    },

    row,

    async create(products) {
      if (products.length === 0) return;
      for (const changes of products) {
        const batch = batches.creating();
        waiting.push(...changes.map((change) => ({ ...change, batch })));
        if (waiting.length >= writeRows) await flush();
      }
      batches.endCells();
    },

    async cells(changes) {
      for (const change of changes) await row([change]);
    },

    async append({ usedRows, variants, ...rows }) {
      await flush();
      const at = batches.appending(rows.fields.length);
      for (const window of windows(0, variants, writeRows)) {
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
      if (line)
        for (const window of windows(0, seq, writeRows)) await shiftBatches(sql, run.id, window, line);
      return seq;
    },
  };

  async function row(planned: readonly PlannedChange[]): Promise<void> {
    const numbers = batches.row(planned);
    waiting.push(...planned.map((change, nth) => ({ ...change, batch: numbers[nth] ?? 0 })));
    if (waiting.length >= writeRows) await flush();
  }

  async function flush(): Promise<void> {
    const full = waiting;
    waiting = [];
    if (full.length > 0) await insertChanges(sql, run, seq + 1, full);
    seq += full.length;
  }
}

const BATCH_PRODUCTS = 100;

const BATCH_CELLS = 50_000;

type Batches = {
  /** The batches of the changes of one row; its cells stay in one batch. */
  row(changes: readonly PlannedChange[]): readonly Change['batch'][];
  /** The next cells are in another batch. */
  endCells(): void;
  /** The batch of the next new product: among those of cells, but with none of them. */
  creating(): Change['batch'];
  /** Where rows of this many cells continue: the batch, the rows it has room for, and the rows of every later batch. */
  appending(width: number): { readonly batch: number; readonly room: number; readonly rowsPerBatch: number };
  /** How far the batches have to be shifted once all changes are counted. Undefined: not at all. */
  line(appended: boolean): Line | undefined;
};

type Line = { readonly quantities: number; readonly store: number; readonly bulk: boolean };

/**
 * Assigns quantities, other changes of the store, and cells to batches, each from 1; `line` puts them one after another.
 * More products than `maxDirect` go into one batch, which the store processes in bulk.
 */
export function createBatches(maxDirect: number): Batches {
  let quantities = 0;
  const products = new Map<string, number>();
  let batch = 1;
  let cells = 0;
  let anyCells = false;
  let created = 0;

  return {
    row(changes) {
      const own = changes.filter(isCell).length;
      if (cells > 0 && cells + own > BATCH_CELLS) nextBatch();
      cells += own;
      anyCells ||= own > 0;
      return changes.map((change) => (isCell(change) ? batch : otherBatch(change)));
    },

    endCells: nextBatch,

    creating() {
      if (created++ % BATCH_PRODUCTS === 0) nextBatch();
      anyCells = true;
      return batch;
    },

    appending(width) {
      const rowsPerBatch = Math.max(1, Math.floor(BATCH_CELLS / width));
      const room = Math.min(rowsPerBatch, Math.floor((BATCH_CELLS - cells) / width));
      return { batch, room, rowsPerBatch };
    },

    line(appended) {
      const bulk = products.size > maxDirect;
      const before = Math.ceil(quantities / MAX_SET_QUANTITIES);
      const store = before + (bulk ? 1 : Math.ceil(products.size / BATCH_PRODUCTS));
      const isMoved = bulk || (before > 0 && products.size > 0) || (store > 0 && (anyCells || appended));
      return isMoved ? { quantities: before, store, bulk } : undefined;
    },
  };

  function nextBatch(): void {
    batch++;
    cells = 0;
  }

  function otherBatch(change: PlannedChange): number {
    if (change.state === 'conflict') return 0;
    if (!isQuantity(change.field)) return productBatch(change.productId ?? '');
    quantities++;
    return Math.ceil(quantities / MAX_SET_QUANTITIES);
  }

  /** Above the maximum the exact number does not matter. */
  function productBatch(productId: string): number {
    const nth = products.get(productId) ?? products.size;
    if (nth <= maxDirect) products.set(productId, nth);
    return Math.floor(nth / BATCH_PRODUCTS) + 1;
  }
}

function isCell({ side, state }: PlannedChange): boolean {
  return side === 'sheet' && state !== 'conflict';
}
