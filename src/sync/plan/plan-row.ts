import type { SyncError } from '../change.ts';
import type { Direction, Mapping, SyncOptions } from '../config.ts';
import type { RunRequest } from '../runs/run.ts';
import { type Canonical, expectedOf, type StoreField } from '../values/field.ts';
import { type Decision, decide, type Undone } from './decide.ts';
import type { JoinedRow } from './join-repo.ts';
import type { PlannedChange } from './planned-change-repo.ts';

/** The settings by which a row is planned. */
type RowRules = {
  readonly direction: Direction;
  readonly mappings: readonly Mapping[];
  readonly options: SyncOptions;
  readonly initial: RunRequest['initial'];
  /** Fields whose columns the run adds. */
  readonly newFields: ReadonlySet<string>;
  /** Decimals of the store's currency. */
  readonly scale: number;
};

export type RowPlan = {
  readonly row: JoinedRow;
  readonly changes: readonly PlannedChange[];
  readonly notes: readonly SyncError[];
  /** There is no baseline, and no initial side was chosen: the row stays as it is. */
  readonly undecided: boolean;
};

/** Plans a row that has a variant, cell by cell. */
export function planRow(row: JoinedRow, rules: RowRules): RowPlan {
  const cells = rules.mappings.map(({ store_field }, nth) => planCell(cellOf(row, store_field, nth), rules));
  const notes = cells.flatMap((cell) => cell.note ?? []);
  if (cells.some(({ undecided }) => undecided)) return { row, changes: [], notes, undecided: true };
  return { row, changes: cells.flatMap(({ changes }) => changes), notes, undecided: false };
}

type RowCell = {
  readonly row: JoinedRow;
  readonly field: StoreField;
  readonly store: Canonical;
  readonly sheet: Canonical;
  /** Undefined: there is no baseline. */
  readonly base: Canonical | undefined;
  /** What the undo of a run left of it, and the run that was undone. */
  readonly undone: (Undone & { readonly run: string }) | undefined;
  /** What the cell should have contained; null where it is valid. */
  readonly fault: string | null;
};

type CellPlan = {
  readonly changes: readonly PlannedChange[];
  readonly note?: SyncError;
  readonly undecided?: boolean;
};

function cellOf(row: JoinedRow, field: StoreField, nth: number): RowCell {
  const [store, sheet, fault] = [row.store, row.sheet, row.faults].map((values) => values?.[nth] ?? null);
  return {
    row,
    field,
    undone: row.reverted?.find((left) => left.field === field),
    store: store ?? null,
    sheet: sheet ?? null,
    base: row.base?.[nth],
    fault: fault ?? null,
  };
}

function planCell(cell: RowCell, rules: RowRules): CellPlan {
  // Also an invalid cell: where it shows the store's value, nothing has changed.
  if (cell.sheet === cell.store && cell.fault !== null) return { changes: [] };
  const { direction, options, initial } = rules;
  const decision = decide({
    direction,
    field: cell.field,
    base: cell.base,
    store: cell.store,
    sheet: cell.fault === null ? cell.sheet : null,
    sheetBlank: cell.sheet === null,
    policy: options.conflict_policy,
    merge: options.quantity_merge,
    equalMoves: options.equal_moves,
    blankMeans: rules.newFields.has(cell.field) ? 'nothing' : options.blank_means,
    undone: cell.undone,
    activate: options.activate,
    untracked: cell.row.untracked === true,
    ...(initial && { initial }),
  });
  return changesOf(decision, cell, rules);
}

function changesOf(decision: Decision, cell: RowCell, rules: RowRules): CellPlan {
  switch (decision.to) {
    case 'none':
      return decision.note ? { changes: [], note: noteOf(decision.note, cell, rules) } : { changes: [] };
    case 'undecided':
      return { changes: [], undecided: true };
    case 'sheet':
      return { changes: [toSheet(cell, decision.value)] };
    case 'store':
      return { changes: [toStore(cell, decision.value, null), ...writtenBack(cell, decision.value, rules)] };
    case 'both':
      return {
        changes: [
          toStore(cell, decision.value, decision.storeBase),
          // Its own baseline, which other changes of the sheet have not, says that it is one half of a sum.
          { ...toSheet(cell, decision.value), base: decision.value },
        ],
      };
    case 'conflict': {
      const note = noteOf(decision.note ?? 'conflict', cell, rules);
      return { changes: [heldConflict(cell, decision.note ?? 'conflict', note.params ?? null)], note };
    }
  }
}

function change({
  row,
  field,
}: RowCell): Pick<PlannedChange, 'key' | 'row' | 'field' | 'kind' | 'code'> &
  Pick<PlannedChange, 'variantId' | 'productId' | 'itemId' | 'state' | 'base' | 'params'> {
  const ids = { variantId: row.variant_id, productId: row.product_id, itemId: row.item_id };
  const { key, row: at } = row;
  return { key, row: at, ...ids, field, kind: 'set', base: null, state: 'planned', code: null, params: null };
}

function toSheet(cell: RowCell, to: Canonical): PlannedChange {
  return { ...change(cell), side: 'sheet', from: cell.sheet, to };
}

function toStore(cell: RowCell, to: Canonical, base: Canonical): PlannedChange {
  return { ...change(cell), side: 'store', from: cell.store, to, base, params: unitOf(cell) };
}

function heldConflict(
  cell: RowCell,
  code: 'conflict' | 'negative_quantity' | 'equal_moves' | 'leading_zeros',
  params: PlannedChange['params'],
): PlannedChange {
  return { ...toSheet(cell, cell.store), state: 'conflict', code, params };
}

/** The cell of a picture gets the address of the store's copy, which followImages puts in the place of this value. */
function writtenBack(cell: RowCell, value: Canonical, { direction }: RowRules): PlannedChange[] {
  return cell.field === 'image' && direction === 'two_way' ? [toSheet(cell, value)] : [];
}

/** A weight is written in a unit: its own, or the one it has in the sheet. And a unit with the weight that the store has. */
function unitOf({ row, field }: RowCell): PlannedChange['params'] {
  if (field === 'grams') return { unit: 'GRAMS' };
  const [unit, weight = '0'] = row.weighing?.split(' ') ?? ['KILOGRAMS'];
  if (field === 'weight_unit') return { weight };
  return field === 'weight' && unit ? { unit } : null;
}

type NoteKey =
  | 'invalid_value'
  | 'not_stocked'
  | 'untracked'
  | 'cannot_clear'
  | 'conflict'
  | 'negative_quantity'
  | 'equal_moves'
  | 'reverted'
  | 'leading_zeros'
  | 'too_long';

function noteOf(key: NoteKey, cell: RowCell, { scale }: RowRules): SyncError {
  const { row, field } = cell;
  const params = paramsOf(key, cell, scale);
  return { key, ...(params && { params }), row: row.row, sku: row.key, field };
}

function paramsOf(key: NoteKey, { field, store, sheet, base, fault, undone }: RowCell, scale: number) {
  switch (key) {
    case 'invalid_value':
      return { value: shown(sheet), expected: fault ?? expectedOf(field, scale) };
    case 'conflict':
    case 'leading_zeros':
      return { store: shown(store), sheet: shown(sheet) };
    case 'negative_quantity':
      return { quantity: Number(store) + Number(sheet) - Number(base) };
    case 'equal_moves':
      return { base: shown(base ?? null), quantity: shown(sheet) };
    case 'reverted':
      return { run: undone?.run ?? '' };
    case 'not_stocked':
    case 'untracked':
    case 'cannot_clear':
    case 'too_long':
      return undefined;
  }
}

const MAX_SHOWN_LENGTH = 100;

function shown(value: Canonical): string {
  if (value === null) return '–';
  // Not with half a character at its end, which no database takes.
  return value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : value;
}

/** The status of rows whose item is no longer in the store. */
export type Marking = {
  /** In the run's language. */
  readonly text: string;
  /** By row; null where rows have no status. */
  readonly statuses: ReadonlyMap<number, string> | null;
};

/** Plans a row whose item is not in the store, where the sheet follows the store. */
export function planStale(
  row: JoinedRow,
  { stale_rows }: SyncOptions,
  { mappings, marking }: { readonly mappings: readonly Mapping[]; readonly marking: Marking },
): PlannedChange[] {
  if (stale_rows === 'clear' && row.reverted?.some(({ field }) => field === 'row')) return [];
  switch (stale_rows) {
    case 'keep':
      return [];
    case 'clear':
      return mappings.flatMap(({ store_field }, nth) => clearCell(row, store_field, row.sheet[nth] ?? null));
    case 'mark':
      return marking.statuses ? statusChange(row, marking.statuses.get(row.row) ?? null, marking.text) : [];
  }
}

/** Clears the status of a marked row whose item is in the store again. */
export function unmark(row: JoinedRow, { statuses, text }: Marking): PlannedChange[] {
  return statuses?.get(row.row) === text ? statusChange(row, text, null) : [];
}

function clearCell(
  row: JoinedRow,
  field: PlannedChange['field'],
  from: PlannedChange['from'],
): PlannedChange[] {
  return from === null ? [] : [{ ...changeOf(row), field, kind: 'clear', from, to: null }];
}

function statusChange(row: JoinedRow, from: PlannedChange['from'], to: PlannedChange['to']): PlannedChange[] {
  return from === to ? [] : [{ ...changeOf(row), field: 'status', kind: 'set', from, to }];
}

function changeOf({ key, row, variant_id, product_id, item_id }: JoinedRow) {
  const ids = { variantId: variant_id, productId: product_id, itemId: item_id };
  return { key, row, ...ids, side: 'sheet', base: null, state: 'planned', code: null, params: null } as const;
}
