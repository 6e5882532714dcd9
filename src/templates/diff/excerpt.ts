import type { StructureNode } from './structure-tree.ts';

/** Characters shown of a text, an attribute or an element. */
const MOST = 300;
/** Characters shown before the first difference. */
const LEAD = 40;

/** The beginning of an element's html. */
export function excerpt(node: StructureNode): string {
  const parts: string[] = [];
  let length = 0;
  write(node, (part) => {
    parts.push(part);
    length += part.length;
    return length <= MOST;
  });
  return cut(parts.join(''));
}

/** Two values cut to the part in which they differ. */
export function around(before: string, after: string): { before: string; after: string } {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const start = same > LEAD && Math.max(before.length, after.length) > MOST ? same - LEAD : 0;
  return { before: cut(before, start), after: cut(after, start) };
}

export function cut(text: string, start = 0): string {
  const end = text.length > start + MOST ? start + MOST : text.length;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

/** Hands over the pieces of a node's html until `take` has enough; false then. */
function write(node: StructureNode, take: (part: string) => boolean): boolean {
  if (node.name === '#comment') return take(`<!--${node.text}-->`);
  if (node.name === '#doctype') return take(`<!DOCTYPE ${node.text}>`);
  if (node.name === '#text') return take(node.text);
  const attributes = [...node.attributes].map(([name, value]) => ` ${name}="${value}"`).join('');
  if (!take(`<${node.name}${attributes}>`)) return false;
  if (!node.children.every((child) => write(child, take))) return false;
  return take(`</${node.name}>`);
}
