import { createHash } from 'node:crypto';
import type { CDPSession, Protocol } from 'puppeteer-core';

/** A rectangle in whole CSS pixels of the page. */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** An element that is laid out as a block, with the blocks in it. One that holds text has none. */
export type Block = {
  readonly name: string;
  /** Equal for elements with equal attributes and content. */
  readonly shape: string;
  /** Equal for elements with equal text and images. */
  readonly content: string;
  readonly id: string;
  readonly box: Box;
  /** Height of its lower padding and border. */
  readonly inset: number;
  readonly children: readonly Block[];
};

const STYLES = ['display', 'padding-bottom', 'border-bottom-width'];
/** Of the page; one with more is a single block. */
const MAX_NODES = 20_000;

/** Reads the blocks of the page as it is laid out now. Undefined for a page with too many elements. */
export async function readBlocks(cdp: CDPSession): Promise<Block | undefined> {
  const { documents, strings } = await cdp.send('DOMSnapshot.captureSnapshot', { computedStyles: STYLES });
  const [page] = documents;
  if (!page || (page.nodes.parentIndex?.length ?? 0) > MAX_NODES) return undefined;
  const nodes = readNodes(page, strings);
  return nodes.flatMap((node) => (node.name === 'HTML' ? [blockOf(node)] : []))[0];
}

type Node = {
  readonly name: string;
  readonly id: string;
  readonly text: string;
  readonly children: Node[];
  shape: string;
  content: string;
  layout?: { readonly display: string; readonly inset: number; readonly box: Box };
};

const ELEMENT = 1;
const TEXT = 3;
/** Attributes that say what an image shows. */
const SHOWN = new Set(['src', 'srcset', 'alt', 'background']);

function readNodes(
  { nodes, layout }: Protocol.DOMSnapshot.DocumentSnapshot,
  strings: readonly string[],
): Node[] {
  const textOf = (index: number | undefined) => strings[index ?? -1] ?? '';
  const attributes = (nodes.attributes ?? []).map((pairs) => pairs.map(textOf));
  const all = (nodes.nodeName ?? []).map((name, at): Node => {
    const isText = nodes.nodeType?.[at] === TEXT;
    const pairs = attributes[at] ?? [];
    const id = pairs.findIndex((key, index) => index % 2 === 0 && key === 'id');
    const text = isText ? textOf(nodes.nodeValue?.[at]).trim() : '';
    return {
      name: textOf(name),
      id: id < 0 ? '' : (pairs[id + 1] ?? ''),
      text,
      children: [],
      shape: '',
      content: '',
    };
  });
  all.forEach((node, at) => {
    const isShown = nodes.nodeType?.[at] === ELEMENT || node.text !== '';
    if (isShown) all[nodes.parentIndex?.[at] ?? -1]?.children.push(node);
  });
  // A child comes after its parent.
  for (const [at, node] of [...all.entries()].reverse()) {
    const pairs = attributes[at] ?? [];
    const shown = pairs.filter((_text, index) => SHOWN.has(pairs[index - (index % 2)] ?? ''));
    node.shape = digest([node.name, node.text, ...pairs, '', ...node.children.map(({ shape }) => shape)]);
    node.content = digest([node.text, ...shown, '', ...node.children.map(({ content }) => content)]);
  }
  layout.nodeIndex.forEach((index, at) => {
    const [display = 0, padding = 0, border = 0] = layout.styles[at] ?? [];
    const node = all[index];
    const bounds = layout.bounds[at] ?? [];
    const inset = Number.parseFloat(textOf(padding)) + Number.parseFloat(textOf(border));
    if (node) node.layout ??= { display: textOf(display), inset: Math.round(inset) || 0, box: boxOf(bounds) };
  });
  return all;
}

function boxOf([left = 0, top = 0, width = 0, height = 0]: readonly number[]): Box {
  const [x, y] = [Math.round(left), Math.round(top)];
  return { x, y, width: Math.round(left + width) - x, height: Math.round(top + height) - y };
}

function blockOf(node: Node): Block {
  const { name, shape, content, id, layout } = node;
  const { box, inset } = layout ?? { box: boxOf([]), inset: 0 };
  const found = contentOf(node);
  const isText = found.hasText && found.blocks.every(isInline);
  const children = isText ? [] : found.blocks.map(blockOf);
  return { name, shape, content, id, box, inset, children };
}

/** The blocks nearest below an element, and whether text stands beside them. */
function contentOf(node: Node): { hasText: boolean; blocks: Node[] } {
  const blocks: Node[] = [];
  let hasText = false;
  for (const child of node.children) {
    if (child.text !== '') hasText ||= child.layout !== undefined;
    else if (isBlock(child)) blocks.push(child);
    else {
      const inner = contentOf(child);
      hasText ||= inner.hasText;
      blocks.push(...inner.blocks);
    }
  }
  return { hasText, blocks };
}

function isBlock({ name, layout }: Node): boolean {
  if (!layout || layout.box.width <= 0 || layout.box.height <= 0) return false;
  return name === 'IMG' || (layout.display !== 'inline' && layout.display !== 'contents');
}

function isInline({ layout }: Node): boolean {
  return layout?.display.startsWith('inline') === true;
}

function digest(parts: readonly string[]): string {
  return createHash('sha1').update(parts.join('\0')).digest('base64');
}
