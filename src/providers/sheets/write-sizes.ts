import type { Cell } from '../../sync/ports/sheet.ts';
import type { Block } from './blocks.ts';
import { blockRange } from './ranges.ts';

/** Bytes of one request: the service recommends 2 MB at most. */
export const MOST_BYTES = 1_800_000;

/** About what `copyPaste` takes for one block. */
const COPY_BYTES = 330;

/** Bytes of all blocks in one request. */
export function directBytes(tabId: number, blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + bytesOf(blockRange(tabId, block)) + 50, 100);
}

/** Bytes of the request that copies all blocks to their place. */
export function copyBytes(blocks: readonly Block[]): number {
  return blocks.length * COPY_BYTES;
}

/** The rows in parts that are small enough for a request each; a row alone always is a part. */
export function inParts(rows: readonly Cell[][]): { readonly first: number; readonly values: Cell[][] }[] {
  const parts: { first: number; values: Cell[][] }[] = [];
  let room = 0;
  rows.forEach((row, index) => {
    const bytes = bytesOf(row) + 1;
    const open = parts.at(-1);
    if (open && bytes <= room) {
      open.values.push(row);
      room -= bytes;
      return;
    }
    parts.push({ first: index, values: [row] });
    room = MOST_BYTES - 200 - bytes;
  });
  return parts;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
