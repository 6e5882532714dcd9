import { align } from './align.ts';
import { type TimeLimit, timeLimit } from './shortest-edit.ts';
import { pathOf, type Shapes, type StructureNode, structureTree } from './structure-tree.ts';

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

/**
 * One change of the tree. A `path` leads from the root by tags, such as `html > body > table:nth(2) > #text`; it is
 * counted in the new tree, for `removed` in the old one. Texts, values and HTML are cut to what shows the change.
 */
type StructureChange =
  | { readonly change: 'added'; readonly path: string; readonly after: string }
  | { readonly change: 'removed'; readonly path: string; readonly before: string }
  | {
      readonly change: 'moved';
      readonly path: string;
      readonly from_path: string;
      /** Place among all children of its parent, from 1, now and before. */
      readonly position: number;
      readonly from_position: number;
    }
  | { readonly change: 'text'; readonly path: string; readonly before: string; readonly after: string }
  | {
      readonly change: 'attribute';
      readonly path: string;
      readonly name: string;
      /** Left out when the attribute is new. */
      readonly before?: string;
      /** Left out when the attribute is gone. */
      readonly after?: string;
    };

type Pair = { readonly from: StructureNode; readonly to: StructureNode };

/** Nodes of the old and the new tree that differ. */
type Difference =
  | { readonly kind: 'added' | 'removed'; readonly node: StructureNode }
  | ({ readonly kind: 'moved' | 'edited' } & Pair);

/** A difference of two trees as it is shown; an edited node is one change for its text and for each attribute. */
function structureChanges(difference: Difference): StructureChange[] {
  switch (difference.kind) {
    case 'added':
      return [{ change: 'added', path: pathOf(difference.node), after: excerpt(difference.node) }];
    case 'removed':
      return [{ change: 'removed', path: pathOf(difference.node), before: excerpt(difference.node) }];
    case 'moved':
      return [moved(difference)];
    case 'edited':
      return [...textChange(difference), ...attributeChanges(difference)];
  }
}

function moved({ from, to }: Pair): StructureChange {
  return {
    change: 'moved',
    path: pathOf(to),
    from_path: pathOf(from),
    position: to.position,
    from_position: from.position,
  };
}

function textChange({ from, to }: Pair): StructureChange[] {
  if (from.text === to.text) return [];
  return [{ change: 'text', path: pathOf(to), ...around(from.text, to.text) }];
}

function attributeChanges({ from, to }: Pair): StructureChange[] {
  const names = new Set([...from.attributes.keys(), ...to.attributes.keys()]);
  return [...names].flatMap((name): StructureChange[] => {
    const before = from.attributes.get(name);
    const after = to.attributes.get(name);
    if (before === after) return [];
    const change = { change: 'attribute', path: pathOf(to), name } as const;
    if (before === undefined) return [{ ...change, after: cut(after ?? '') }];
    if (after === undefined) return [{ ...change, before: cut(before) }];
    return [{ ...change, ...around(before, after) }];
  });
}

/** Characters shown of a text, an attribute or an element. */
const MAX_EXCERPT = 300;
/** Characters shown before the first difference. */
const LEADING_CHARS = 40;

/** The start of an element's HTML. */
function excerpt(node: StructureNode): string {
  const parts: string[] = [];
  let length = 0;
  write(node, (part) => {
    parts.push(part);
    length += part.length;
    return length <= MAX_EXCERPT;
  });
  return cut(parts.join(''));
}

/** Two values cut to the part in which they differ. */
function around(before: string, after: string): { before: string; after: string } {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const start =
    same > LEADING_CHARS && Math.max(before.length, after.length) > MAX_EXCERPT ? same - LEADING_CHARS : 0;
  return { before: cut(before, start), after: cut(after, start) };
}

function cut(text: string, start = 0): string {
  const end = text.length > start + MAX_EXCERPT ? start + MAX_EXCERPT : text.length;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

/** Hands over the pieces of a node's HTML until `take` has enough; false then. */
function write(node: StructureNode, take: (part: string) => boolean): boolean {
  if (node.name === '#comment') return take(`<!--${node.text}-->`);
  if (node.name === '#doctype') return take(`<!DOCTYPE ${node.text}>`);
  if (node.name === '#text') return take(node.text);
  const attributes = [...node.attributes].map(([name, value]) => ` ${name}="${value}"`).join('');
  if (!take(`<${node.name}${attributes}>`)) return false;
  if (!node.children.every((child) => write(child, take))) return false;
  return take(`</${node.name}>`);
}
