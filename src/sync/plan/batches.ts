import type { Change } from '../change.ts';
import { SET_QUANTITIES_MOST } from '../ports/store-client.ts';
import type { PlannedChange } from './changes-store.ts';

const PRODUCTS = 100;

/** More products are told in one batch, which the store takes in bulk. */
const PRODUCTS_MOST = 2_000;

const CELLS = 50_000;

export type Batches = {
  /** The batch of a change; a row's changes are given together, since its cells stay together. */
  row(changes: readonly PlannedChange[]): readonly Change['batch'][];
  /** Where rows of this many cells go on: the batch, its room, and that of every one after it. */
  appending(width: number): { readonly batch: number; readonly room: number; readonly rowsPerBatch: number };
  /** How far what follows has to be moved, once all are counted. Undefined: nowhere. */
  line(appended: boolean): Line | undefined;
};

type Line = { readonly quantities: number; readonly store: number; readonly bulk: boolean };

/** Counts quantities, other changes of the store, and cells into batches, each from 1; `line` puts them in line. */
export function createBatches(): Batches {
  let quantities = 0;
  const products = new Map<string, number>();
  let batch = 1;
  let cells = 0;
  let anyCells = false;

  return {
    row(changes) {
      const own = changes.filter(isCell).length;
      if (cells > 0 && cells + own > CELLS) nextBatch();
      cells += own;
      anyCells ||= own > 0;
      return changes.map((change) => (isCell(change) ? batch : otherBatch(change)));
    },

    appending(width) {
      const rowsPerBatch = Math.max(1, Math.floor(CELLS / width));
      const room = Math.min(rowsPerBatch, Math.floor((CELLS - cells) / width));
      return { batch, room, rowsPerBatch };
    },

    line(appended) {
      const bulk = products.size > PRODUCTS_MOST;
      const before = Math.ceil(quantities / SET_QUANTITIES_MOST);
      const store = before + (bulk ? 1 : Math.ceil(products.size / PRODUCTS));
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
    if (change.field !== 'inventory_quantity') return productBatch(change.productId ?? '');
    quantities++;
    return Math.ceil(quantities / SET_QUANTITIES_MOST);
  }

  /** Beyond the most the exact number no longer matters. */
  function productBatch(productId: string): number {
    const nth = products.get(productId) ?? products.size;
    if (nth <= PRODUCTS_MOST) products.set(productId, nth);
    return Math.floor(nth / PRODUCTS) + 1;
  }
}

function isCell({ side, state }: PlannedChange): boolean {
  return side === 'sheet' && state !== 'conflict';
}
