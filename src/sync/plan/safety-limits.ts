import type { SafetyLimits } from '../config.ts';
import type { SafetyLimitHit } from '../runs/run.ts';
import { type Canonical, isQuantity, type StoreField } from '../values/field.ts';

/** A cell of the store that is to change. */
export type StoreMove = { readonly field: StoreField; readonly from: Canonical; readonly to: Canonical };

export type PlanTotals = {
  /** Rows that could change: those both sides have, and those to mark or clear, of which the store has nothing. */
  readonly rows: number;
  /** Rows known of before, and those of them that the sheet no longer has. */
  readonly known: number;
  readonly missing: number;
};

export type SafetyLimitCount = {
  /** Counts a row that is to change on either side, with what it changes in the store. Rows to append are not told. */
  row(moves: readonly StoreMove[]): void;
  /** The exceeded limits, once all rows are counted. */
  hits(totals: PlanTotals): SafetyLimitHit[];
};

/**
 * Counts the changes of a plan row by row, so that a run that could do much harm waits for a person. A few rows
 * are never many: 20 have to change and 5 to go to zero before their share counts. A limit of 100 never asks.
 */
export function countSafetyLimits(safetyLimits: SafetyLimits): SafetyLimitCount {
  let changed = 0;
  let zeroed = 0;
  let priceMove = 0;

  return {
    row(moves) {
      changed++;
      if (moves.some(isZeroed)) zeroed++;
      for (const move of moves) priceMove = Math.max(priceMove, priceMoveOf(move));
    },

    hits({ rows, known, missing }) {
      const found = {
        changed_percent: changed < LEAST_CHANGED ? 0 : percent(changed, rows),
        zeroed_percent: zeroed < LEAST_ZEROED ? 0 : percent(zeroed, rows),
        shrunk_percent: percent(missing, known),
        price_percent: priceMove,
      };
      return SAFETY_LIMITS.filter((name) => safetyLimits[name] < 100 && found[name] > safetyLimits[name]).map(
        (name) => ({
          safety_limit: name,
          limit: safetyLimits[name],
          found: shown(found[name]),
        }),
      );
    },
  };
}

const SAFETY_LIMITS = ['changed_percent', 'zeroed_percent', 'shrunk_percent', 'price_percent'] as const;
const LEAST_CHANGED = 20;
const LEAST_ZEROED = 5;

function isZeroed({ field, from, to }: StoreMove): boolean {
  return isQuantity(field) && to === '0' && Number(from ?? 0) > 0;
}

/** A price that was 0 has no percentage of change. */
function priceMoveOf({ field, from, to }: StoreMove): number {
  if (field !== 'price' || from === null || to === null) return 0;
  return percent(Math.abs(Number(to) - Number(from)), Number(from));
}

/** Without the noise of binary numbers: from 0.18 to 0.27 is 50 percent, not more. */
function percent(part: number, whole: number): number {
  return whole > 0 ? withoutNoise((part / whole) * 100) : 0;
}

/** Rounded up, so that it shows as more than the limit. */
function shown(found: number): number {
  return Math.ceil(withoutNoise(found * 100)) / 100;
}

function withoutNoise(number: number): number {
  return Number(number.toPrecision(12));
}
