import type { Direction, SyncOptions } from '../config.ts';
import { PENDING_IMAGE } from '../ports/store-fields.ts';
import { canBeCopied, isCopyOf } from '../ports/store-images.ts';
import type { RunRequest } from '../runs/run.ts';
import { type Canonical, canBeEmpty, isQuantity, type StoreField, specOf } from '../values/field.ts';
import { isExcerpt } from '../values/text-value.ts';
import { MAX_QUANTITY } from '../values/value.ts';

/** One cell of a row that both sides have. */
export type DecidedCell = {
  readonly direction: Direction;
  readonly field: StoreField;
  /** What both sides had when they last agreed; undefined: there is no baseline. */
  readonly base: Canonical | undefined;
  readonly store: Canonical;
  readonly sheet: Canonical;
  /** The cell is empty. A cell that is not empty while `sheet` is null has an unreadable value. */
  readonly sheetBlank: boolean;
  readonly policy: SyncOptions['conflict_policy'];
  /** Quantities that both sides changed are added up. */
  readonly merge: boolean;
  /** How to treat equal changes of a quantity on both sides, where changes are added up. */
  readonly equalMoves: SyncOptions['equal_moves'];
  readonly blankMeans: SyncOptions['blank_means'];
  /** Items are stocked where they are not yet. */
  readonly activate: boolean;
  /** The store sells the item whatever its quantity is. */
  readonly untracked: boolean;
  readonly initial?: RunRequest['initial'];
  /** What the undo of a run left: a side that still has its value has not changed since. */
  readonly undone?: Undone | undefined;
};

export type Undone = { readonly store: Canonical; readonly sheet: Canonical };

type NoneNote = 'invalid_value' | 'not_stocked' | 'untracked' | 'cannot_clear' | 'reverted' | 'too_long';

/** What to do with a cell; `note` is why nothing is written, or why there is a conflict. */
export type Decision =
  | { readonly to: 'none'; readonly note?: NoneNote }
  | { readonly to: 'sheet'; readonly value: Canonical }
  | { readonly to: 'store'; readonly value: Canonical }
  /** `storeBase` is the baseline once the store has the value and the sheet has not: the next run then writes the sheet. */
  | { readonly to: 'both'; readonly value: string; readonly storeBase: Canonical }
  | { readonly to: 'conflict'; readonly note?: 'negative_quantity' | 'equal_moves' | 'leading_zeros' }
  /** There is no baseline, and no initial side was chosen. */
  | { readonly to: 'undecided' };

/**
 * Decides what to do with a cell. With b the baseline, s the store's value and h the sheet's; the first line that fits
 * decides:
 *
 * | direction      | when                                  | then                                           |
 * |----------------|---------------------------------------|------------------------------------------------|
 * | any            | s ≠ h, left so by an undo⁴            | nothing: reverted                              |
 * |                | s ≠ h, one left so by an undo⁴        | the one that changed to the other¹             |
 * | store_to_sheet | s = h and it can be read              | nothing                                        |
 * |                | a picture that is being processed     | nothing                                        |
 * |                | else                                  | s to the sheet                                 |
 * | the other two  | h cannot be read                      | nothing: invalid_value                         |
 * | two_way        | s = h, an equal move³                 | s + h − b to both², or a conflict              |
 * | the other two  | s = h                                 | nothing                                        |
 * |                | s is a picture being processed        | nothing                                        |
 * | sheet_to_store | s is the store's copy of the picture h | nothing                                       |
 * | two_way        | s or b is the store's copy of h       | s to the sheet                                 |
 * | sheet_to_store | h blank, which means nothing          | nothing                                        |
 * |                | else                                  | h to the store¹                                |
 * | two_way        | h blank, which means nothing          | s to the sheet                                 |
 * |                | b null, s null                        | h to the store¹: nothing is lost               |
 * |                | b not known, s null, `activate`⁵         | h to the store¹                                |
 * |                | b not known, or null                  | the initial side's to the other¹, or undecided |
 * |                | s = b                                 | h to the store¹                                |
 * |                | h = b                                 | s to the sheet                                 |
 * |                | quantities, and they are to be merged | s + h − b to both², or a conflict              |
 * |                | policy                                | s to the sheet, h to the store¹, or a conflict |
 *
 * ¹ Not a quantity where the item is not stocked (not_stocked, unless with `activate`) or below zero (invalid_value), and null only where the
 * store can do without (cannot_clear). A code that has only lost its leading zeros is a conflict (leading_zeros). Not a text
 * that is too long for its cell, which shows the beginning (too_long).
 * ² Unless h is below zero: invalid_value.
 * ³ A quantity to be merged, not below zero, whose b is known and another: from ten to nine on both sides is eight.
 * ⁴ It has the value that the undo of a run left there. Against the direction, nothing: reverted.
 * ⁵ Of a quantity: the item is stocked at the location.
 *
 * Where this writes a quantity to the store or asks a person, and the store does not track it: nothing, untracked.
 *
 * A baseline of null counts as not known where both sides have a value: it is also saved for a cell on which they never
 * agreed.
 */
export function decide(cell: DecidedCell): Decision {
  const decision = decideTracked(cell);
  const isWithin = decision.to === 'none' || decision.to === 'sheet';
  return isWithin || !cell.untracked || !isQuantity(cell.field)
    ? decision
    : { to: 'none', note: 'untracked' };
}

function decideTracked(cell: DecidedCell): Decision {
  const { direction, store, sheet, sheetBlank } = cell;
  const isUnreadable = sheet === null && !sheetBlank;
  if (isUnreadable && direction !== 'store_to_sheet') return { to: 'none', note: 'invalid_value' };
  const { undone } = cell;
  if (undone && (store === undone.store || sheet === undone.sheet)) return decideUndone(cell, undone);
  if (isEqualMove(cell)) return decideEqualMove(cell);
  if (store === sheet && !isUnreadable) return { to: 'none' };
  return decideCopy(cell) ?? decideDiffering(cell);
}

function decideDiffering(cell: DecidedCell): Decision {
  switch (cell.direction) {
    case 'store_to_sheet':
      return toSheet(cell);
    case 'sheet_to_store':
      return isSilent(cell) ? { to: 'none' } : toStore(cell);
    case 'two_way':
      return isSilent(cell) ? toSheet(cell) : decideBoth(cell);
  }
}

/**
 * The store keeps a copy of an image at its own address. A cell that still has the original address has not
 * changed. Undefined: it is decided as any other.
 */
function decideCopy(cell: DecidedCell): Decision | undefined {
  const { direction, field, base, store, sheet } = cell;
  if (field !== 'image') return undefined;
  if (store === PENDING_IMAGE) return { to: 'none' };
  switch (direction) {
    case 'store_to_sheet':
      return undefined;
    case 'sheet_to_store':
      return sheet === PENDING_IMAGE || isCopyOf(store, sheet) ? { to: 'none' } : undefined;
    case 'two_way':
      return sheet === PENDING_IMAGE || isCopyOf(store, sheet) || isCopyOf(base, sheet)
        ? toSheet(cell)
        : undefined;
  }
}

/** What was undone stays undone until someone changes one side; the other side then gets that value. */
function decideUndone(cell: DecidedCell, undone: Undone): Decision {
  const { direction, store, sheet } = cell;
  if (store === sheet) return { to: 'none' };
  if (store !== undone.store && direction !== 'sheet_to_store') return toSheet(cell);
  if (sheet !== undone.sheet && direction !== 'store_to_sheet' && !isSilent(cell)) return toStore(cell);
  return { to: 'none', note: 'reverted' };
}

type EqualMove = DecidedCell & { readonly base: string; readonly store: string; readonly sheet: string };

/** `isEqualMove` in SQL: src/sync/plan/join-repo.ts, `equalMovesAt`. */
function isEqualMove(cell: DecidedCell): cell is EqualMove {
  const { direction, field, merge, base, store, sheet } = cell;
  if (direction !== 'two_way' || !isQuantity(field) || !merge) return false;
  return (
    store !== null && store === sheet && typeof base === 'string' && base !== store && Number(store) >= 0
  );
}

function decideEqualMove(cell: EqualMove): Decision {
  return cell.equalMoves === 'add' ? mergeQuantity(cell) : { to: 'conflict', note: 'equal_moves' };
}

/** A blank cell changes nothing, unless blanks clear the field. */
function isSilent({ sheet, blankMeans }: DecidedCell): boolean {
  return sheet === null && blankMeans === 'nothing';
}

/** Two values that differ. */
function decideBoth(cell: DecidedCell): Decision {
  const { base, store, sheet } = cell;
  if (store === null && (base === null || (base === undefined && mayActivate(cell)))) return toStore(cell);
  if (base === undefined || (base === null && sheet !== null)) return decideFirst(cell);
  if (store === base) return toStore(cell);
  if (sheet === base) return toSheet(cell);
  return decideConflict(cell, base);
}

function mayActivate({ field, activate }: DecidedCell): boolean {
  return activate && isQuantity(field);
}

function decideFirst(cell: DecidedCell): Decision {
  switch (cell.initial) {
    case 'store':
      return toSheet(cell);
    case 'sheet':
      return toStore(cell);
    case undefined:
      return { to: 'undecided' };
  }
}

/** Both sides have changed it. */
function decideConflict(cell: DecidedCell, base: Canonical): Decision {
  const { store, sheet, merge, policy } = cell;
  if (merge && isQuantity(cell.field) && base !== null && store !== null && sheet !== null)
    return mergeQuantity({ base, store, sheet });
  switch (policy) {
    case 'ask':
      return { to: 'conflict' };
    case 'store_wins':
      return toSheet(cell);
    case 'sheet_wins':
      return toStore(cell);
  }
}

/** Ten sold in the store and fifty received in the sheet are forty more than before. */
function mergeQuantity({ base, store, sheet }: { base: string; store: string; sheet: string }): Decision {
  if (Number(sheet) < 0) return { to: 'none', note: 'invalid_value' };
  const merged = Number(store) + Number(sheet) - Number(base);
  if (merged < 0) return { to: 'conflict', note: 'negative_quantity' };
  if (merged > MAX_QUANTITY) return { to: 'conflict' };
  return { to: 'both', value: String(merged), storeBase: sheet };
}

function toSheet({ store }: DecidedCell): Decision {
  return { to: 'sheet', value: store };
}

function toStore({ field, store, sheet, activate }: DecidedCell): Decision {
  if (sheet === null && !canBeEmpty(field)) return { to: 'none', note: 'cannot_clear' };
  if (isExcerpt(store) || isExcerpt(sheet)) return { to: 'none', note: 'too_long' };
  if (field === 'image' && !canBeCopied(sheet)) return { to: 'none', note: 'invalid_value' };
  if (hasLostZeros(field, store, sheet)) return { to: 'conflict', note: 'leading_zeros' };
  if (!isQuantity(field)) return { to: 'store', value: sheet };
  if (store === null && !activate) return { to: 'none', note: 'not_stocked' };
  return Number(sheet) < 0 ? { to: 'none', note: 'invalid_value' } : { to: 'store', value: sheet };
}

/** A spreadsheet takes `00123` for the number 123. */
function hasLostZeros(field: StoreField, store: Canonical, sheet: Canonical): boolean {
  if (specOf(field).isCode !== true) return false;
  return store !== null && /^0\d+$/.test(store) && store.replace(/^0+(?=\d)/, '') === sheet;
}
