import type { Side } from './align.ts';
import type { TimeLimit } from './time-limit.ts';

/**
 * Settles where changes stand that could stand in several places: in `a a b`, removing the first `a` and removing the
 * second are the same. A change goes as far down as it can, joining the changes it meets, but rather stands where the
 * other list changes too, so that a replacement stays one hunk. Those are git's rules: two branches that did the same
 * then did it at the same place.
 *
 * @throws Fault `too_large.merge` when the limit passes
 */
export function slide(side: Side, other: Side, limit: TimeLimit): void {
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
