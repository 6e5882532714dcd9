import type { FaultParams } from '../../../errors.ts';
import type { SyncNoteKey } from '../../change.ts';
import type { Canonical } from '../../values/field.ts';

/** What has become of a change. `planned`: it is tried once more, with other values. */
export type ChangeOutcome =
  | { readonly seq: number; readonly state: 'applied' }
  | {
      readonly seq: number;
      readonly state: 'failed' | 'skipped';
      readonly code: SyncNoteKey;
      readonly params?: FaultParams;
      /** Whether it had arrived before it was changed again cannot be told: nor what either side has changed since. */
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
