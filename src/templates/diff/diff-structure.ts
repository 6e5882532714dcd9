import { align } from './align.ts';
import { type Difference, type StructureChange, structureChanges } from './structure-changes.ts';
import { type Shapes, type StructureNode, structureTree } from './structure-tree.ts';
import { type TimeLimit, timeLimit } from './time-limit.ts';

export type { StructureChange } from './structure-changes.ts';

/**
 * What changed between the trees of two templates, in the order of the new one. White space does not count. An element
 * that stands elsewhere unchanged has moved; one that was changed and moved was removed and added.
 *
 * @throws Fault `too_large.structure` when a template has too many elements or levels, `too_large.merge` when the
 * templates differ in too many places to be compared in time
 */
export function diffStructure(from: string, to: string, limit: TimeLimit = timeLimit()): StructureChange[] {
  const shapes: Shapes = new Map();
  const found: Difference[] = [];
  compare(structureTree(from, shapes, limit), structureTree(to, shapes, limit), limit, found);
  return withMoves(found).flatMap(structureChanges);
}

type Nodes = readonly StructureNode[];

function compare(from: StructureNode, to: StructureNode, limit: TimeLimit, found: Difference[]): void {
  if (from.shape === to.shape) return;
  found.push({ kind: 'edited', from, to });
  compareChildren(from.children, to.children, LIKENESSES, limit, found);
}

type Likeness = (node: StructureNode) => string;

/** What makes two children the same one, the surest sign first. */
const LIKENESSES: readonly Likeness[] = [
  ({ shape }) => shape,
  ({ name, attributes }) => `${name}#${attributes.get('id') ?? ''}`,
  ({ name }) => name,
];

function compareChildren(
  from: Nodes,
  to: Nodes,
  [likeness, ...weaker]: readonly Likeness[],
  limit: TimeLimit,
  found: Difference[],
): void {
  if (!likeness) {
    for (const node of from) found.push({ kind: 'removed', node });
    for (const node of to) found.push({ kind: 'added', node });
    return;
  }
  walk(from, to, likeness, limit, {
    same: (before, after) => compare(before, after, limit, found),
    different: (removed, added) => compareChildren(removed, added, weaker, limit, found),
  });
}

type Visitor = {
  readonly same: (from: StructureNode, to: StructureNode) => void;
  readonly different: (removed: Nodes, added: Nodes) => void;
};

/** Goes through two lists in step: the nodes that agree in their key, and the stretches between them. */
function walk(from: Nodes, to: Nodes, key: Likeness, limit: TimeLimit, visit: Visitor): void {
  let at = 0;
  let lead = 0;
  const sameUntil = (end: number) => {
    from.slice(at, end).forEach((node, index) => {
      const other = to[at + lead + index];
      if (other) visit.same(node, other);
    });
  };
  for (const hunk of align(from.map(key), to.map(key), limit)) {
    sameUntil(hunk.fromStart);
    visit.different(from.slice(hunk.fromStart, hunk.fromEnd), to.slice(hunk.toStart, hunk.toEnd));
    at = hunk.fromEnd;
    lead = hunk.toEnd - hunk.fromEnd;
  }
  sameUntil(from.length);
}

/** An element gone from one place and come in another has moved; of several alike, the first gone to the first come. */
function withMoves(found: readonly Difference[]): Difference[] {
  const gone = new Map<string, StructureNode[]>();
  for (const difference of found) {
    if (difference.kind !== 'removed' || difference.node.name.startsWith('#')) continue;
    const { shape } = difference.node;
    const alike = gone.get(shape);
    if (alike) alike.push(difference.node);
    else gone.set(shape, [difference.node]);
  }
  const origins = new Set<StructureNode>();
  const differences = found.map((difference): Difference => {
    if (difference.kind !== 'added') return difference;
    const from = gone.get(difference.node.shape)?.shift();
    if (!from) return difference;
    origins.add(from);
    return { kind: 'moved', from, to: difference.node };
  });
  return differences.filter((difference) => difference.kind !== 'removed' || !origins.has(difference.node));
}
