import type en from '../../locales/en.json';
import type { FaultKey, FaultParams } from '../errors.ts';
import type { Canonical, StoreField } from './values/field.ts';

/** Why a row or a cell was not synced: a sentence of `locales/*.json`, section `sync`. */
export type SyncNoteKey = keyof typeof en.sync;

/** What went wrong in a run: of one cell or row, or, as the key of a fault, of the run as a whole. */
export type SyncError = {
  readonly key: SyncNoteKey | FaultKey;
  readonly params?: FaultParams;
  /** Row of the sheet, from 1. */
  readonly row?: number;
  /** The key of the item, whatever the configuration's key is. */
  readonly sku?: string;
  readonly field?: StoreField | 'key';
};

/**
 * True for notes that do not make a run partial: a row without a key may be a total or a comment, what a person has undone
 * is to stay undone, a column was added as requested, and a quantity that the store does not track changes nothing there.
 */
export function isRemark({ key }: Pick<SyncError, 'key'>): boolean {
  return REMARKS.has(key);
}

const REMARKS: ReadonlySet<SyncError['key']> = new Set<SyncError['key']>([
  'missing_key_in_row',
  'reverted',
  'reverted_row',
  'column_added',
  'untracked',
]);

/**
 * `planned` not sent yet; `sent` in doubt: without a response so far; `applied`; `failed` rejected by the other side;
 * `skipped` changed concurrently, or the run ended before; `conflict` open, for a person; `resolved` by a person.
 */
export type ChangeState = 'planned' | 'sent' | 'applied' | 'failed' | 'skipped' | 'conflict' | 'resolved';

/** One cell that a run changes: a row of `sync_changes`. */
export type Change = {
  readonly seq: number;
  /** Of the item; empty for the header. */
  readonly key: string;
  readonly row: number | null;
  readonly variantId: string | null;
  readonly productId: string | null;
  readonly itemId: string | null;
  /** `key` where the key has a column that no field is mapped to; `status` for the status column. */
  readonly field: StoreField | 'key' | 'status';
  readonly side: 'store' | 'sheet';
  /** `create`: one of the values of a new product; see plan/plan-creations.ts. */
  readonly kind: 'set' | 'append' | 'clear' | 'create';
  readonly from: Canonical;
  readonly to: Canonical;
  /** The baseline after this change, where it is not `to`: see plan/decide.ts. */
  readonly base: Canonical;
  /** Batches are applied in order. A batch is of one side, and of quantities or of other fields. */
  readonly batch: number;
  readonly state: ChangeState;
  readonly code: SyncNoteKey | null;
  /** Parameters of `code`; the unit of a weight; `was`: the cell as it was entered, for an undo; `cell`: what an undo writes. */
  readonly params: FaultParams | null;
};
