import type { FaultParams } from '../../../errors.ts';
import type { SyncNoteKey } from '../../change.ts';
import type { Canonical, StoreField } from '../../values/field.ts';

/** The ids of a variant that was created. */
type MadeIds = { readonly variantId: string; readonly productId: string; readonly itemId: string };

/** The outcome of a change. `planned`: it is tried again, with other values. */
export type ChangeOutcome =
  | {
      readonly seq: number;
      readonly state: 'applied';
      readonly made?: MadeIds;
      /** The value as the store has it: the address of its copy of an image. */
      readonly now?: string;
    }
  | {
      readonly seq: number;
      readonly state: 'failed' | 'skipped';
      readonly code: SyncNoteKey;
      readonly params?: FaultParams;
      /** It is not known whether it arrived before the value changed again, and so not what either side has changed since. */
      readonly inDoubt?: boolean;
    }
  | {
      readonly seq: number;
      readonly state: 'planned';
      readonly from: Canonical;
      readonly to: Canonical;
      readonly base: Canonical;
      readonly params: FaultParams;
    };

/** A cell of the sheet that has the value of another cell, or lost its formula. */
export type DamagedCell = {
  /** Of its row; empty where that has none. */
  readonly key: string;
  /** From 1. */
  readonly row: number;
  /** Null: no field is mapped to its column. */
  readonly field: StoreField | 'key' | null;
  readonly code: Extract<SyncNoteKey, 'rows_moved' | 'formula_overwritten'>;
  readonly params?: FaultParams;
};
