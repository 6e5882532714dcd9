import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { Fault } from '../../errors.ts';
import type { TimeLimit } from './shortest-edit.ts';
import { type Token, tokenize } from './tokenize.ts';

/** An element, a text or a comment of a template. */
export type StructureNode = {
  /** The tag, `#text`, `#comment`, `#doctype` or `#document`. */
  readonly name: string;
  /** The name, with `:nth(n)` where the parent has more than one of it. */
  readonly step: string;
  /** Place among the children of the parent, from 1. */
  readonly position: number;
  readonly parent: StructureNode | undefined;
  readonly attributes: ReadonlyMap<string, string>;
  /** Of a text, comment or doctype, with runs of white space as one space. */
  readonly text: string;
  readonly children: readonly StructureNode[];
  /** The same for subtrees that are the same, over all trees built with one `Shapes`. */
  readonly shape: string;
};

/** The shapes seen so far, by what they are made of. */
export type Shapes = Map<string, string>;

/**
 * The tree a browser builds from a template, with expressions as text where they stand. Text that is only white space is
 * left out.
 *
 * @throws Fault `too_large.structure` when there are too many elements or levels, `too_large.merge` when the limit passes
 */
export function structureTree(html: string, shapes: Shapes, limit: TimeLimit): StructureNode {
  const document = parseTemplate(html, limit);
  const item = { name: '#document', text: '', element: document };
  return built(item, { step: item.name, position: 1, parent: undefined }, shapes);
}

/** The way from the root to a node, such as `html > body > p:nth(2)`. */
export function pathOf(node: StructureNode): string {
  const steps: string[] = [];
  for (let at: StructureNode | undefined = node; at?.parent; at = at.parent) steps.push(at.step);
  return steps.reverse().join(' > ');
}

type Container = DefaultTreeAdapterTypes.ParentNode;

/** A node to be built. */
type Item = { readonly name: string; readonly text: string; readonly element?: Container };

type Place = Pick<StructureNode, 'step' | 'position' | 'parent'>;

function built({ name, text, element }: Item, place: Place, shapes: Shapes): StructureNode {
  const children: StructureNode[] = [];
  const node = { name, ...place, attributes: attributesOf(element), text, children, shape: '' };
  const items = element ? itemsIn(element) : [];
  const steps = stepsTo(items);
  items.forEach((item, at) => {
    children.push(built(item, { step: steps[at] ?? item.name, position: at + 1, parent: node }, shapes));
  });
  node.shape = shapeOf(node, shapes);
  return node;
}

function attributesOf(element: Container | undefined): ReadonlyMap<string, string> {
  const attributes = element && 'attrs' in element ? element.attrs : [];
  return new Map(attributes.map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value]));
}

/** Texts and expressions that stand side by side are one text. */
function itemsIn(element: Container): Item[] {
  const items: Item[] = [];
  const { childNodes } = 'content' in element ? element.content : element;
  for (const child of childNodes) {
    const item = itemOf(child);
    const last = items.at(-1);
    if (item.name === '#text' && last?.name === '#text') items[items.length - 1] = joined(last, item);
    else items.push(item);
  }
  return items.map(tidied).filter(({ name, text }) => name !== '#text' || text !== '');
}

function itemOf(child: DefaultTreeAdapterTypes.ChildNode): Item {
  if ('value' in child) return { name: '#text', text: child.value };
  if ('data' in child && child.data.startsWith(SHIELD)) return { name: '#text', text: child.data.slice(1) };
  if ('data' in child) return { name: '#comment', text: child.data };
  if ('childNodes' in child) return { name: child.tagName, text: '', element: child };
  return { name: '#doctype', text: [child.name, child.publicId, child.systemId].join(' ') };
}

function joined(one: Item, other: Item): Item {
  return { name: '#text', text: one.text + other.text };
}

/** With HTML's own white space as one space; a no-break space is text. */
function tidied(item: Item): Item {
  return { ...item, text: item.text.replace(/[ \t\n\f\r]+/g, ' ').replace(/^ | $/g, '') };
}

function stepsTo(items: readonly Item[]): string[] {
  const totals = new Map<string, number>();
  for (const { name } of items) totals.set(name, (totals.get(name) ?? 0) + 1);
  const counts = new Map<string, number>();
  return items.map(({ name }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return totals.get(name) === 1 ? name : `${name}:nth(${count})`;
  });
}

function shapeOf({ name, attributes, text, children }: StructureNode, shapes: Shapes): string {
  const sorted = [...attributes].sort(([one], [other]) => (one < other ? -1 : 1));
  const content = JSON.stringify([name, text, sorted, children.map((child) => child.shape)]);
  const shape = shapes.get(content) ?? String(shapes.size);
  shapes.set(content, shape);
  return shape;
}

const MOST_ELEMENTS = 50_000;
const MOST_LEVELS = 500;

/** Starts a comment that is an expression; no comment of a template's own starts with this character. */
const SHIELD = '\u0001';

/**
 * Parses a template as a browser would. Mustaches in text come as comments behind `SHIELD`, since a parser moves text
 * out of tables but leaves comments where they are; those in attributes and in raw text, such as a title, stay.
 *
 * @throws Fault `too_large.structure` when there are too many elements or levels, `too_large.merge` when the limit passes
 */
function parseTemplate(html: string, limit: TimeLimit): DefaultTreeAdapterTypes.Document {
  return parseBounded(shielded(html), limit);
}

const RAW_TEXT = /^<(style|script|title|textarea|xmp|iframe|noembed|noframes|plaintext)[\s/>]/i;

function shielded(html: string): string {
  let rawText: string | undefined;
  return tokenize(html)
    .map((token) => {
      if (token.kind === 'tag') rawText = rawTextAfter(token.text, rawText);
      return rawText === undefined && isShieldable(token) ? `<!--${SHIELD}${token.text}-->` : token.text;
    })
    .join('');
}

/** The element whose content is no markup, after a tag. */
function rawTextAfter(tag: string, rawText: string | undefined): string | undefined {
  if (rawText === undefined) return RAW_TEXT.exec(tag)?.[1]?.toLowerCase();
  return tag.toLowerCase().startsWith(`</${rawText}`) ? undefined : rawText;
}

function isShieldable({ kind, text }: Token): boolean {
  return kind === 'mustache' && !text.includes('-->') && !text.includes('--!>');
}

/** Hostile HTML makes a parser build far more elements than it has tags, so they are counted while it does. */
function parseBounded(html: string, limit: TimeLimit): DefaultTreeAdapterTypes.Document {
  let elements = 0;
  let levels = 0;
  const tooLarge = () => new Fault('too_large.structure', { elements: MOST_ELEMENTS, levels: MOST_LEVELS });
  const createElement: typeof defaultTreeAdapter.createElement = (...element) => {
    if (elements++ >= MOST_ELEMENTS) throw tooLarge();
    if (elements % 100 === 0) limit.check();
    return defaultTreeAdapter.createElement(...element);
  };
  const onItemPush = () => {
    if (levels++ >= MOST_LEVELS) throw tooLarge();
  };
  const onItemPop = () => {
    levels--;
  };
  const treeAdapter = { ...defaultTreeAdapter, createElement, onItemPush, onItemPop };
  return parse(html, { treeAdapter, scriptingEnabled: false });
}
