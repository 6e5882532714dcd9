import { type Box, shortestEdit, type TimeLimit } from './shortest-edit.ts';

/** One place where two lists differ: `from[fromStart, fromEnd)` became `to[toStart, toEnd)`. */
export type Hunk = {
  readonly fromStart: number;
  readonly fromEnd: number;
  readonly toStart: number;
  readonly toEnd: number;
};

/** One of the two lists: each item as a number, equal items the same number, and whether it is removed or added. */
type Side = { readonly ids: Int32Array; readonly changed: Uint8Array };

/**
 * Says which items of two lists are the same and which differ, in order, with at least one equal item between two
 * hunks. Among equally short returns it gives the one git gives, since a merge is expected to find the conflicts
 * git finds; only where more than some 500 items differ in one stretch does the answer stop being the shortest.
 *
 * @throws Fault `too_large.merge` when the limit passes
 */
export function align(from: readonly string[], to: readonly string[], limit: TimeLimit): Hunk[] {
  limit.check();
  const [left, right] = numbered(from, to);
  const box = differing(left.ids, right.ids);
  const candidatesLeft = candidates(left, right, box.aStart, box.aEnd);
  const candidatesRight = candidates(right, left, box.bStart, box.bEnd);
  shortestEdit(picked(left, candidatesLeft), picked(right, candidatesRight), limit, {
    removed: (at) => mark(left, candidatesLeft, at),
    added: (at) => mark(right, candidatesRight, at),
  });
  slide(left, right, limit);
  slide(right, left, limit);
  return hunks(left, right);
}

function numbered(from: readonly string[], to: readonly string[]): [Side, Side] {
  const numbers = new Map<string, number>();
  const side = (items: readonly string[]): Side => {
    const ids = new Int32Array(items.length);
    items.forEach((item, at) => {
      const id = numbers.get(item) ?? numbers.size;
      numbers.set(item, id);
      ids[at] = id;
    });
    return { ids, changed: new Uint8Array(items.length) };
  };
  return [side(from), side(to)];
}

/** The range of each list between their common start and their common end. */
function differing(a: Int32Array, b: Int32Array): Box {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return { aStart: head, aEnd: a.length - tail, bStart: head, bEnd: b.length - tail };
}

/** The positions the search looks at; the others in the range are marked as changed straight away. */
function candidates(side: Side, other: Side, start: number, end: number): number[] {
  const skipped = unhelpful(side.ids, other.ids, start, end);
  const kept: number[] = [];
  for (let at = start; at < end; at++) {
    if (skipped[at - start]) side.changed[at] = 1;
    else kept.push(at);
  }
  return kept;
}

function picked(side: Side, positions: readonly number[]): Int32Array {
  return Int32Array.from(positions, (at) => side.ids[at] ?? -1);
}

function mark(side: Side, positions: readonly number[], at: number): void {
  const position = positions[at];
  if (position !== undefined) side.changed[position] = 1;
}

function hunks(left: Side, right: Side): Hunk[] {
  const found: Hunk[] = [];
  let from = 0;
  let to = 0;
  while (from < left.ids.length || to < right.ids.length) {
    const hunk = { fromStart: from, fromEnd: endOfRun(left, from), toStart: to, toEnd: endOfRun(right, to) };
    if (hunk.fromEnd > from || hunk.toEnd > to) found.push(hunk);
    from = hunk.fromEnd + 1;
    to = hunk.toEnd + 1;
  }
  return found;
}

function endOfRun(side: Side, start: number): number {
  let end = start;
  while (side.changed[end]) end++;
  return end;
}

/**
 * Settles where changes stand that could stand in several places: in `a a b`, removing the first `a` and removing the
 * second are the same. A change goes as far down as it can, joining the changes it meets, but rather stands where the
 * other list changes too, so that a replacement stays one hunk. Those are git's rules: two branches that did the same
 * then did it at the same place.
 *
 * @throws Fault `too_large.merge` when the limit passes
 */
function slide(side: Side, other: Side, limit: TimeLimit): void {
  const facing = gapsWithChanges(other);
  const group: Group = { start: 0, end: 0, gap: 0 };
  takeIn(side, group);
  for (;;) {
    if (group.end > group.start) settle(side, group, facing, limit);
    if (group.end >= side.ids.length) return;
    group.start = group.end + 1;
    group.end = group.start;
    group.gap++;
    takeIn(side, group);
  }
}

/** A run of changed items, perhaps empty, and how many unchanged ones stand before it. Both lists have the same gaps. */
type Group = { start: number; end: number; gap: number };

function gapsWithChanges(side: Side): Uint8Array {
  const gaps = new Uint8Array(side.ids.length + 1);
  let gap = 0;
  for (const changed of side.changed) {
    if (changed) gaps[gap] = 1;
    else gap++;
  }
  return gaps;
}

function settle(side: Side, group: Group, facing: Uint8Array, limit: TimeLimit): void {
  let size: number;
  let top: number;
  let faces: boolean;
  do {
    limit.check();
    size = group.end - group.start;
    while (up(side, group));
    top = group.end;
    faces = facing[group.gap] === 1;
    while (down(side, group)) faces ||= facing[group.gap] === 1;
  } while (size !== group.end - group.start);
  if (group.end === top || !faces) return;
  while (!facing[group.gap]) up(side, group);
}

function up({ ids, changed }: Side, group: Group): boolean {
  if (group.start === 0 || ids[group.start - 1] !== ids[group.end - 1]) return false;
  changed[--group.start] = 1;
  changed[--group.end] = 0;
  while (group.start > 0 && changed[group.start - 1]) group.start--;
  group.gap--;
  return true;
}

function down(side: Side, group: Group): boolean {
  const { ids, changed } = side;
  if (group.end >= ids.length || ids[group.start] !== ids[group.end]) return false;
  changed[group.start++] = 0;
  changed[group.end++] = 1;
  takeIn(side, group);
  group.gap++;
  return true;
}

/** Extends the group over the changed items right after it. */
function takeIn({ changed }: Side, group: Group): void {
  while (changed[group.end]) group.end++;
}

/** How far around an item the neighbourhood goes. */
const WINDOW = 100;
const MOST_COMMON = 1024;

/**
 * Marks the items of `ids[start, end)` that the search for the shortest edit does without: those the other list has
 * nowhere, and frequent ones (an empty line, a `</td>`) lost among such, where a match would only be chance.
 */
function unhelpful(ids: Int32Array, other: Int32Array, start: number, end: number): Uint8Array {
  const absent = new Uint8Array(end - start);
  const frequent = new Uint8Array(end - start);
  const occurrences = counts(other);
  const many = Math.min(roughRoot(ids.length), MOST_COMMON);
  for (let at = start; at < end; at++) {
    const count = occurrences.get(ids[at] ?? -1) ?? 0;
    if (count === 0) absent[at - start] = 1;
    else if (count >= many) frequent[at - start] = 1;
  }
  return withLostOnes(absent, frequent);
}

function counts(ids: Int32Array): Map<number, number> {
  const found = new Map<number, number>();
  for (const id of ids) found.set(id, (found.get(id) ?? 0) + 1);
  return found;
}

/** The power of two next to the square root that git takes as "many". */
function roughRoot(count: number): number {
  return 1 << ((33 - Math.clz32(count)) >> 1);
}

/**
 * Adds the frequent items that stand in a run of absent and frequent ones only, with absent ones on both sides and
 * more than three times as many of them as of frequent ones. The item itself counts twice, as it does in git.
 */
function withLostOnes(absent: Uint8Array, frequent: Uint8Array): Uint8Array {
  const absentBefore = runningSum(absent);
  const frequentBefore = runningSum(frequent);
  const { first, last } = runs(absent, frequent);
  return absent.map((isAbsent, at) => {
    if (isAbsent || !frequent[at]) return isAbsent;
    const low = Math.max(first[at] ?? 0, at - WINDOW);
    const high = Math.min(last[at] ?? 0, at + WINDOW) + 1;
    const before = between(absentBefore, low, at);
    const after = between(absentBefore, at, high);
    const alike = between(frequentBefore, low, high) + 1;
    return before > 0 && after > 0 && alike * 3 < before + after ? 1 : 0;
  });
}

function runningSum(flags: Uint8Array): Int32Array {
  const sums = new Int32Array(flags.length + 1);
  flags.forEach((flag, at) => {
    sums[at + 1] = (sums[at] ?? 0) + flag;
  });
  return sums;
}

function between(sums: Int32Array, low: number, high: number): number {
  return (sums[high] ?? 0) - (sums[low] ?? 0);
}

/** For each item the first and last position of the run of absent or frequent items it stands in. */
function runs(absent: Uint8Array, frequent: Uint8Array): { first: Int32Array; last: Int32Array } {
  const first = new Int32Array(absent.length);
  const last = new Int32Array(absent.length);
  const inRun = (at: number) => absent[at] === 1 || frequent[at] === 1;
  for (let at = 0; at < absent.length; at++) {
    first[at] = at > 0 && inRun(at - 1) && inRun(at) ? (first[at - 1] ?? at) : at;
  }
  for (let at = absent.length - 1; at >= 0; at--) {
    last[at] = at + 1 < absent.length && inRun(at + 1) && inRun(at) ? (last[at + 1] ?? at) : at;
  }
  return { first, last };
}
