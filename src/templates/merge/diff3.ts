import { align, type Hunk } from '../diff/align.ts';
import type { TimeLimit } from '../diff/shortest-edit.ts';

/** `[start, end)` of a list. */
export type Range = { readonly start: number; readonly end: number };

/**
 * A stretch of the three lists: unchanged, changed on one side, or changed on both sides in different ways. One that
 * both sides changed in the same way counts as changed on our side.
 */
export type Region = {
  readonly kind: 'unchanged' | 'ours' | 'theirs' | 'conflict';
  readonly base: Range;
  readonly ours: Range;
  readonly theirs: Range;
};

export type Versions<T> = { readonly base: T; readonly ours: T; readonly theirs: T };

/** Says whether the unchanged items of the base between two changes keep them apart. */
type Separates = (between: Range) => boolean;

/**
 * Three-way merge of lists: the changes of each side are found against the base, and those that touch belong together.
 * Regions cover the three lists without gaps.
 *
 * @throws Fault `too_large.merge` when the limit passes
 */
export function diff3(
  lists: Versions<readonly string[]>,
  limit: TimeLimit,
  separates: Separates = (between) => between.end > between.start,
): Region[] {
  const changes = [
    ...align(lists.base, lists.ours, limit).map((hunk): Change => ({ side: 'ours', hunk })),
    ...align(lists.base, lists.theirs, limit).map((hunk): Change => ({ side: 'theirs', hunk })),
  ].sort((one, other) => one.hunk.fromStart - other.hunk.fromStart || one.hunk.fromEnd - other.hunk.fromEnd);
  const regions: Region[] = [];
  let at: Place = { base: 0, ours: 0, theirs: 0 };
  for (const group of grouped(changes, separates)) {
    const unchanged = skip(at, group.base.start - at.base);
    const changed = region(unchanged, group, lists);
    regions.push(spanning('unchanged', at, unchanged), changed);
    at = { base: changed.base.end, ours: changed.ours.end, theirs: changed.theirs.end };
  }
  regions.push(spanning('unchanged', at, skip(at, lists.base.length - at.base)));
  return regions.filter(({ kind, base }) => kind !== 'unchanged' || base.end > base.start);
}

type Change = { readonly side: 'ours' | 'theirs'; readonly hunk: Hunk };
type Group = { readonly base: Range; readonly changes: readonly Change[] };
type Place = Versions<number>;

function grouped(changes: readonly Change[], separates: Separates): Group[] {
  const groups: { base: { start: number; end: number }; changes: Change[] }[] = [];
  for (const change of changes) {
    const { fromStart: start, fromEnd: end } = change.hunk;
    const last = groups.at(-1);
    if (!last || (start > last.base.end && separates({ start: last.base.end, end: start }))) {
      groups.push({ base: { start, end }, changes: [change] });
    } else {
      last.base.end = Math.max(last.base.end, end);
      last.changes.push(change);
    }
  }
  return groups;
}

function region(start: Place, group: Group, lists: Versions<readonly string[]>): Region {
  const length = group.base.end - group.base.start;
  const end = {
    base: group.base.end,
    ours: start.ours + length + growth(group, 'ours'),
    theirs: start.theirs + length + growth(group, 'theirs'),
  };
  const conflict = spanning('conflict', start, end);
  if (!group.changes.some(({ side }) => side === 'theirs')) return { ...conflict, kind: 'ours' };
  if (!group.changes.some(({ side }) => side === 'ours')) return { ...conflict, kind: 'theirs' };
  return sameItems(lists, conflict) ? { ...conflict, kind: 'ours' } : conflict;
}

function growth(group: Group, of: Change['side']): number {
  return group.changes
    .filter(({ side }) => side === of)
    .reduce((sum, { hunk }) => sum + hunk.toEnd - hunk.toStart - (hunk.fromEnd - hunk.fromStart), 0);
}

function sameItems(lists: Versions<readonly string[]>, { ours, theirs }: Region): boolean {
  if (ours.end - ours.start !== theirs.end - theirs.start) return false;
  for (let at = 0; at < ours.end - ours.start; at++) {
    if (lists.ours[ours.start + at] !== lists.theirs[theirs.start + at]) return false;
  }
  return true;
}

function spanning(kind: Region['kind'], start: Place, end: Place): Region {
  return {
    kind,
    base: { start: start.base, end: end.base },
    ours: { start: start.ours, end: end.ours },
    theirs: { start: start.theirs, end: end.theirs },
  };
}

function skip(at: Place, count: number): Place {
  return { base: at.base + count, ours: at.ours + count, theirs: at.theirs + count };
}

/** A stretch of a merge: its text, or the three texts where the sides conflict. */
export type Part = string | Versions<string>;

/** The text that stands for a region of three lists. */
export function part(region: Region, lists: Versions<readonly string[]>): Part {
  const text = (of: keyof Versions<Range>) => lists[of].slice(region[of].start, region[of].end).join('');
  switch (region.kind) {
    case 'unchanged':
      return text('base');
    case 'ours':
      return text('ours');
    case 'theirs':
      return text('theirs');
    case 'conflict':
      return { base: text('base'), ours: text('ours'), theirs: text('theirs') };
  }
}
