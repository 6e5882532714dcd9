import type { Block } from '../../platform/browser/page-blocks.ts';
import { align } from '../diff/align.ts';
import type { TimeLimit } from '../diff/shortest-edit.ts';

/** Two blocks that are the same one, before and after, with the pairs in it and the blocks that only one of them has. */
export type BlockPair = {
  readonly from: Block;
  readonly to: Block;
  readonly children: readonly BlockPair[];
  readonly removed: readonly Block[];
  readonly added: readonly Block[];
};

type Blocks = readonly Block[];

/** What makes two blocks the same one, the surest sign first. */
const LIKENESSES: readonly ((block: Block) => string)[] = [
  ({ name, shape }) => `${name} ${shape}`,
  ({ name, content }) => `${name} ${content}`,
  ({ name, id, children }) => `${name}#${id} ${children.length > 0}`,
];

/** Finds the blocks of one page in the other, level by level and in their order. @throws Fault too_large.merge */
export function matchBlocks(from: Block, to: Block, limit: TimeLimit): BlockPair {
  const children: BlockPair[] = [];
  const removed: Block[] = [];
  const added: Block[] = [];
  matchLists(from.children, to.children, LIKENESSES);
  return { from, to, children, removed, added };

  function matchLists(before: Blocks, after: Blocks, [likeness, ...weaker]: typeof LIKENESSES): void {
    if (!likeness) {
      removed.push(...before);
      added.push(...after);
      return;
    }
    const same = (start: number, end: number, lead: number) => {
      for (const [index, block] of before.slice(start, end).entries()) {
        const other = after[start + lead + index];
        if (other) children.push(matchBlocks(block, other, limit));
      }
    };
    let at = 0;
    let lead = 0;
    for (const hunk of align(before.map(likeness), after.map(likeness), limit)) {
      same(at, hunk.fromStart, lead);
      matchLists(before.slice(hunk.fromStart, hunk.fromEnd), after.slice(hunk.toStart, hunk.toEnd), weaker);
      at = hunk.fromEnd;
      lead = hunk.toEnd - hunk.fromEnd;
    }
    same(at, before.length, lead);
  }
}
