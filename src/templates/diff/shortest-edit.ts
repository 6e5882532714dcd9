import { Fault } from '../../errors.ts';
import { workedMs } from '../../platform/thread-time.ts';

/** A part of both lists: `a[aStart, aEnd)` against `b[bStart, bEnd)`. */
export type Box = {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
};

/** Told once for each item of `a` that goes and each item of `b` that comes, by position. */
type EditListener = {
  readonly removed: (at: number) => void;
  readonly added: (at: number) => void;
};

/**
 * The shortest edit from `a` to `b` in linear space: E. Myers, "An O(ND) Difference Algorithm and Its Variations"
 * (1986), section 4b. Two fronts, one from each end of a box, advance one edit at a time; where they meet, the box is
 * cut in two. Which point of several is taken decides what a merge sees as one change, so the order of the loops
 * (highest diagonal first) and of the comparisons is git's.
 *
 * @throws Fault `too_large.merge` when the limit passes
 */
export function shortestEdit(a: Int32Array, b: Int32Array, limit: TimeLimit, edits: EditListener): void {
  const size = a.length + b.length + 3;
  const search: Search = {
    a,
    b,
    limit,
    origin: b.length + 1,
    forward: new Int32Array(size),
    backward: new Int32Array(size),
    patience: Math.max(256, 1 << ((33 - Math.clz32(size)) >> 1)),
  };
  const boxes: Box[] = [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }];
  for (let box = boxes.pop(); box; box = boxes.pop()) boxes.push(...cut(search, shrunk(search, box), edits));
}

type Search = {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly limit: TimeLimit;
  /** Index of diagonal 0 in the fronts. A diagonal is the position in `a` minus the position in `b`. */
  readonly origin: number;
  /** Position in `a` that each front has come to on each diagonal. */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  /** Edits after which a box is cut at the best point so far, to keep the time near linear. */
  readonly patience: number;
};

/** The diagonals a front stands on: every second one from `low` to `high`. */
type Front = { readonly reached: Int32Array; low: number; high: number };

type Point = { readonly a: number; readonly b: number };

const BEYOND = 0x7fffffff;

function shrunk({ a, b }: Search, box: Box): Box {
  let { aStart, aEnd, bStart, bEnd } = box;
  while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
    aStart++;
    bStart++;
  }
  while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  return { aStart, aEnd, bStart, bEnd };
}

function cut(search: Search, box: Box, edits: EditListener): Box[] {
  if (box.aStart < box.aEnd && box.bStart < box.bEnd) {
    const point = meeting(search, box);
    return [
      { ...box, aStart: point.a, bStart: point.b },
      { ...box, aEnd: point.a, bEnd: point.b },
    ];
  }
  for (let at = box.aStart; at < box.aEnd; at++) edits.removed(at);
  for (let at = box.bStart; at < box.bEnd; at++) edits.added(at);
  return [];
}

function meeting(search: Search, box: Box): Point {
  const first = box.aStart - box.bStart;
  const last = box.aEnd - box.bEnd;
  const forward: Front = { reached: search.forward, low: first, high: first };
  const backward: Front = { reached: search.backward, low: last, high: last };
  forward.reached[search.origin + first] = box.aStart;
  backward.reached[search.origin + last] = box.aEnd;
  const odd = ((first - last) & 1) !== 0;
  for (let cost = 1; ; cost++) {
    search.limit.check();
    widen(forward, search, box, -1);
    const ahead = advance(search, box, forward, odd ? backward : undefined);
    if (ahead) return ahead;
    widen(backward, search, box, BEYOND);
    const behind = retreat(search, box, backward, odd ? undefined : forward);
    if (behind) return behind;
    if (cost >= search.patience) return furthest(search, box, forward);
  }
}

/** Moves a front's ends one diagonal out, or one in where the box ends. */
function widen(front: Front, { origin }: Search, box: Box, unreached: number): void {
  if (front.low > box.aStart - box.bEnd) front.reached[origin + --front.low - 1] = unreached;
  else front.low++;
  if (front.high < box.aEnd - box.bStart) front.reached[origin + ++front.high + 1] = unreached;
  else front.high--;
}

/** One more edit from the start; gives the point where this front reaches the other one. */
function advance(search: Search, box: Box, front: Front, facing: Front | undefined): Point | undefined {
  const { a, b, origin } = search;
  const { reached } = front;
  for (let diagonal = front.high; diagonal >= front.low; diagonal -= 2) {
    const below = reached[origin + diagonal - 1] ?? -1;
    const above = reached[origin + diagonal + 1] ?? -1;
    let at = below >= above ? below + 1 : above;
    while (at < box.aEnd && at - diagonal < box.bEnd && a[at] === b[at - diagonal]) at++;
    reached[origin + diagonal] = at;
    if (facing && standsOn(facing, diagonal) && (facing.reached[origin + diagonal] ?? BEYOND) <= at) {
      return { a: at, b: at - diagonal };
    }
  }
  return undefined;
}

/** One more edit from the end. */
function retreat(search: Search, box: Box, front: Front, facing: Front | undefined): Point | undefined {
  const { a, b, origin } = search;
  const { reached } = front;
  for (let diagonal = front.high; diagonal >= front.low; diagonal -= 2) {
    const below = reached[origin + diagonal - 1] ?? BEYOND;
    const above = reached[origin + diagonal + 1] ?? BEYOND;
    let at = below < above ? below : above - 1;
    while (at > box.aStart && at - diagonal > box.bStart && a[at - 1] === b[at - 1 - diagonal]) at--;
    reached[origin + diagonal] = at;
    if (facing && standsOn(facing, diagonal) && at <= (facing.reached[origin + diagonal] ?? -1)) {
      return { a: at, b: at - diagonal };
    }
  }
  return undefined;
}

function standsOn(front: Front, diagonal: number): boolean {
  return front.low <= diagonal && diagonal <= front.high;
}

function furthest({ origin }: Search, box: Box, front: Front): Point {
  let best: Point = { a: box.aStart, b: box.bStart };
  for (let diagonal = front.high; diagonal >= front.low; diagonal -= 2) {
    const at = Math.min(front.reached[origin + diagonal] ?? -1, box.aEnd, box.bEnd + diagonal);
    if (at + at - diagonal > best.a + best.b) best = { a: at, b: at - diagonal };
  }
  return best;
}

/** Time one answer may spend on comparing; everything that answer needs shares the one limit. */
export type TimeLimit = {
  /** Throws `too_large.merge` once the time is over. */
  readonly check: () => void;
};

/**
 * Counts what this thread works, so that a busy machine makes an answer late and not refused. The default leaves room
 * in a second for the linear work before and after the comparing.
 */
export function timeLimit(ms = 700): TimeLimit {
  const end = workedMs() + ms;
  // No one works longer than the clock runs, and the clock is quicker to ask.
  const earliest = performance.now() + ms;
  return {
    check: () => {
      if (performance.now() >= earliest && workedMs() >= end) throw new Fault('too_large.merge');
    },
  };
}
