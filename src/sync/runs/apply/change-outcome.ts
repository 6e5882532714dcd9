import type { FaultParams } from '../../../errors.ts';
import type { SyncNoteKey } from '../../change.ts';
import type { Canonical } from '../../values/field.ts';

/** The outcome of a change. `planned`: it is tried again, with other values. */
export type ChangeOutcome =
  | { readonly seq: number; readonly state: 'applied' }
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
