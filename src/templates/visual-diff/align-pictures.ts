import type { Block, Box } from '../../platform/browser/page-blocks.ts';
import type { BlockPair } from './match-blocks.ts';

/** Pixels, row by row. */
export type Pixels = { readonly data: Uint32Array; readonly width: number; readonly height: number };

export type Aligned = {
  /** The old picture with every block where the new one has it; where the new one only has more room, its own pixels. */
  readonly picture: Pixels;
  readonly removed: readonly Block[];
  readonly added: readonly Block[];
  /** Places of the new picture where something was, or where blocks now stand further apart or closer. */
  readonly seams: readonly Box[];
  /** Pixels by which blocks stand further apart or closer. */
  readonly moved: number;
};

/** Moves the blocks of the old picture to where they are in the new one, so that only what differs in itself differs. */
export function alignPictures(before: Pixels, after: Pixels, root: BlockPair): Aligned {
  const data = new Uint32Array(after.data);
  const removed: Block[] = [];
  const added: Block[] = [];
  const seams: Box[] = [];
  let moved = 0;
  place(root);
  return { picture: { ...after, data }, removed, added, seams, moved };

  function place(pair: BlockPair): void {
    const { from, to } = pair;
    const rows = pair.children.length === 0 && pair.removed.length === 0 ? textRows(from, to) : ownRows(pair);
    restore(to.box);
    for (const [index, row] of rows.entries()) if (row !== undefined) copyRow(row, from.box, to.box, index);
    for (const child of pair.children) place(child);
    for (const { box } of pair.added) restore(box);
    removed.push(...pair.removed);
    added.push(...pair.added);
  }

  /** The old row for each row of a block without blocks in it. New lines are compared with the last row of the old ones. */
  function textRows(from: Block, to: Block): number[] {
    const lost = from.box.height - to.box.height;
    if (lost > 0) moved += lost * from.box.width;
    if (lost > 0) seams.push({ ...to.box, y: bottom(to.box), height: 0 });
    const inset = Math.min(from.inset, to.inset, from.box.height, to.box.height);
    const last = Math.max(from.box.y, from.box.y + from.box.height - inset - 1);
    return Array.from({ length: to.box.height }, (_, row) => {
      const fromEnd = to.box.height - row;
      if (fromEnd <= inset) return from.box.y + from.box.height - fromEnd;
      return Math.min(from.box.y + row, last);
    });
  }

  /** The old row for each row of a block around its children; undefined where there was no such row. */
  function ownRows({ from, to, children, removed: gone, added: come }: BlockPair): (number | undefined)[] {
    const rows: (number | undefined)[] = new Array(to.box.height).fill(undefined);
    const write = (row: number, source: number) => {
      if (row >= to.box.y && row < bottom(to.box)) rows[row - to.box.y] = source;
    };
    const ordered = children.toSorted((one, other) => one.to.box.y - other.to.box.y);
    let [oldEnd, newEnd] = [from.box.y, to.box.y];
    for (const child of ordered) {
      const [old, now] = [child.from.box, child.to.box];
      const room = between(oldEnd, old.y, gone);
      const newRoom = between(newEnd, now.y, come);
      fill(newEnd, now.y, oldEnd, oldEnd + Math.min(room.height, old.y - oldEnd));
      if (now.y > newEnd - 1 && !room.interrupted && !newRoom.interrupted)
        noteGap(room.height, now.y - newEnd, now);
      if (room.interrupted) seams.push({ ...to.box, y: now.y, height: 0 });
      fill(Math.max(newEnd, now.y), bottom(now), Math.max(newEnd, now.y) + old.y - now.y, bottom(old));
      oldEnd = Math.max(oldEnd, bottom(old));
      newEnd = Math.max(newEnd, bottom(now));
    }
    const rest = between(oldEnd, bottom(from.box), gone);
    fill(newEnd, bottom(to.box), oldEnd, oldEnd + rest.height);
    if (rest.interrupted) seams.push({ ...to.box, y: newEnd, height: 0 });
    if (from.inset !== to.inset) noteGap(from.inset, to.inset, { ...to.box, y: bottom(to.box) });
    return rows;

    function fill(start: number, end: number, source: number, limit: number): void {
      for (let row = start; row < end && source + row - start < limit; row++)
        write(row, source + row - start);
    }

    function noteGap(old: number, now: number, { y }: Box): void {
      const change = now - old;
      // A pixel more or less is a matter of rounding.
      if (Math.abs(change) <= 1) return;
      moved += Math.abs(change) * to.box.width;
      const height = Math.max(0, change);
      seams.push({ ...to.box, y: y - height, height });
    }
  }

  function copyRow(source: number, from: Box, to: Box, index: number): void {
    const row = to.y + index;
    if (source < 0 || source >= before.height || row < 0 || row >= after.height) return;
    const left = Math.max(0, to.x);
    const right = Math.min(after.width, to.x + to.width);
    for (let x = left; x < right; ) {
      const oldX = Math.max(0, Math.min(from.x + Math.min(x - to.x, from.width - 1), before.width - 1));
      const run = Math.min(right - x, Math.max(1, Math.min(from.x + from.width, before.width) - oldX));
      const start = source * before.width + oldX;
      data.set(before.data.subarray(start, start + run), row * after.width + x);
      x += run;
    }
  }

  function restore(box: Box): void {
    const { x, y, width, height } = clipped(box, after);
    for (let row = y; row < y + height; row++) {
      const start = row * after.width + x;
      data.set(after.data.subarray(start, start + width), start);
    }
  }
}

/** The room from one row to another until the first of the blocks that stand in it. */
function between(start: number, end: number, blocks: readonly Block[]) {
  const inside = blocks.filter(({ box }) => box.y >= start - 1 && box.y < end);
  const stop = Math.min(end, ...inside.map(({ box }) => box.y));
  return { height: Math.max(0, stop - start), interrupted: inside.length > 0 };
}

const bottom = (box: Box) => box.y + box.height;

/** The part of a box that is in a picture. */
export function clipped(
  box: Box,
  { width, height }: { readonly width: number; readonly height: number },
): Box {
  const within = (at: number, end: number) => Math.max(0, Math.min(at, end));
  const [x, y] = [within(box.x, width), within(box.y, height)];
  return {
    ...{ x, y },
    width: within(box.x + box.width, width) - x,
    height: within(box.y + box.height, height) - y,
  };
}
