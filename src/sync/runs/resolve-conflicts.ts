import { Fault } from '../../errors.ts';
import type { Change } from '../change.ts';
import { type Canonical, canBeEmpty, isQuantity as isQuantityField } from '../values/field.ts';
import { cellValue, type Writing } from '../values/value.ts';
import type { Resolution } from './runs.ts';

/** Quantities that one call to the store sets at most. */
const MAX_QUANTITIES = 250;

/** The changes of a run that applies chosen values. */
export type Resolved = {
  readonly changes: readonly Change[];
  /** The conflicts that were resolved, by `seq`. */
  readonly chosen: readonly number[];
};

/**
 * The changes that write the chosen values to both sides. A conflict has the sheet's value in `from` and the store's in
 * `to`. Conflicts without a resolution are copied to the new run, since the newest plan lists the open ones.
 * @throws Fault not_found.sync_conflict, validation_failed.sync_value
 */
export function resolveChanges(
  open: readonly Change[],
  resolutions: readonly Resolution[],
  writing: Writing,
): Resolved {
  const chosen = new Map(resolutions.map((resolution) => choose(open, resolution, writing)));
  const toStore = open.flatMap((change) => storePart(change, chosen.get(change.seq)));
  const toSheet = open.flatMap((change) => sheetPart(change, chosen.get(change.seq)));
  const rest = open.filter(({ seq }) => !chosen.has(seq));
  const isQuantity = ({ field }: Change) => isQuantityField(field);
  const quantities = toStore.filter(isQuantity);
  const products = toStore.filter((change) => !isQuantity(change));
  const quantityBatches = Math.ceil(quantities.length / MAX_QUANTITIES);
  const changes = [
    ...quantities.map((change, nth) => ({ ...change, batch: 1 + Math.floor(nth / MAX_QUANTITIES) })),
    ...products.map((change) => ({ ...change, batch: quantityBatches + 1 })),
    ...toSheet.map((change) => ({ ...change, batch: quantityBatches + 2 })),
    ...rest,
  ];
  return { changes: changes.map((change, nth) => ({ ...change, seq: nth + 1 })), chosen: [...chosen.keys()] };
}

function choose(
  open: readonly Change[],
  { key, field, take }: Resolution,
  writing: Writing,
): [number, Canonical] {
  const conflict = open.find((change) => change.key === key && change.field === field);
  if (!conflict) throw new Fault('not_found.sync_conflict', { key, field });
  if (take === 'store') return [conflict.seq, conflict.to];
  if (take === 'sheet') return [conflict.seq, conflict.from];
  return [conflict.seq, chosenValue(field, take.value, writing)];
}

function chosenValue(field: Resolution['field'], value: string | null, writing: Writing): Canonical {
  const read = cellValue(field, value ?? '', writing);
  const isNegative = 'value' in read && isQuantityField(field) && Number(read.value) < 0;
  const isMissing = 'value' in read && read.value === null && !canBeEmpty(field);
  if ('value' in read && !isNegative && !isMissing) return read.value;
  throw new Fault('validation_failed.sync_value', { value: value ?? '', field });
}

/** While only the store has it, the baseline is what the sheet still has: the next run then writes the sheet. */
function storePart(conflict: Change, value: Canonical | undefined): Change[] {
  if (value === undefined || value === conflict.to) return [];
  const { from: sheet, to: store, params } = conflict;
  return [
    { ...planned(conflict), side: 'store', from: store, to: value, base: sheet, params: unitOf(params) },
  ];
}

/** Where both sides had the value already, it is written down that they agree on it. */
function sheetPart(conflict: Change, value: Canonical | undefined): Change[] {
  const isAgreed = conflict.from === conflict.to;
  if (value === undefined || (value === conflict.from && !isAgreed)) return [];
  return [{ ...planned(conflict), side: 'sheet', from: conflict.from, to: value, base: value, params: null }];
}

function planned(conflict: Change): Change {
  return { ...conflict, kind: 'set', state: 'planned', code: null };
}

function unitOf(params: Change['params']): Change['params'] {
  const { unit, weight } = params ?? {};
  if (weight !== undefined) return { weight };
  return unit === undefined ? null : { unit };
}
