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
 * `planned` not tried yet, `sent` on its way: whether it arrived is not known, `applied`, `failed` the other side refused,
 * `skipped` it has changed meanwhile or the run ended before, `conflict` held for a person, `resolved` a person chose.
 */
export type ChangeState = 'planned' | 'sent' | 'applied' | 'failed' | 'skipped' | 'conflict' | 'resolved';

/** One cell that a run is to change, as `sync_changes` keeps it. */
export type Change = {
  readonly seq: number;
  /** Of the item; empty for the header. */
  readonly key: string;
  readonly row: number | null;
  readonly variantId: string | null;
  readonly productId: string | null;
  readonly itemId: string | null;
  /** `key` where the key has a column that no field is mapped to; `status` for the column that says how the row fared. */
  readonly field: StoreField | 'key' | 'status';
  readonly side: 'store' | 'sheet';
  readonly kind: 'set' | 'append' | 'clear';
  readonly from: Canonical;
  readonly to: Canonical;
  /** What the base becomes when this is applied, where that is not `to`: see plan/decide.ts. */
  readonly base: Canonical;
  /** Batches are applied in their order. One batch is of one side, and of quantities or of everything else. */
  readonly batch: number;
  readonly state: ChangeState;
  readonly code: SyncNoteKey | null;
  readonly params: FaultParams | null;
};
