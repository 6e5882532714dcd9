import { type DefaultTreeAdapterTypes as Dom, defaultTreeAdapter, parse } from 'parse5';
import type { Place } from './rules.ts';
import { LINT_LIMITS } from './rules.ts';
import { type Declaration, declarations, type StyleRule, styleRules } from './style-rules.ts';

export type PageElement = {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: PageElement | undefined;
  /** Where its tag stands; a browser adds elements no one wrote, which have none. */
  readonly at: Place | undefined;
  readonly isClosed: boolean;
  /** The link it stands in, which may be itself. */
  readonly link: PageElement | undefined;
  /** Of its `style` attribute. */
  readonly style: readonly Declaration[];
  /** Text directly in it, without that of the elements in it. */
  readonly text: string;
};

export type PageText = {
  readonly text: string;
  readonly parent: PageElement;
  readonly at: Place | undefined;
};

export type PageComment = { readonly text: string; readonly at: Place | undefined };

/** The tree a email client builds from the HTML, as flat lists in the order of the html: parents before children. */
export type Page = {
  readonly elements: readonly PageElement[];
  readonly texts: readonly PageText[];
  readonly comments: readonly PageComment[];
  /** Name of the doctype; undefined without one. */
  readonly doctype: string | undefined;
  readonly rules: readonly (StyleRule & { readonly at: Place | undefined })[];
  readonly imports: readonly (Place | undefined)[];
  /** Length of all style sheets in characters. */
  readonly styleChars: number;
  /** Only the start was read: nothing can be said about what is missing or open at its end. */
  readonly isCut: boolean;
};

type Item = { readonly node: Dom.ChildNode; readonly parent: PageElement | undefined };

/** What a walk through the tree gathers. */
type Lists = {
  readonly elements: PageElement[];
  readonly texts: PageText[];
  readonly comments: PageComment[];
  readonly sheets: { readonly css: string; readonly at: Place | undefined }[];
  doctype: string | undefined;
};

/** Reads HTML as a email client does: without scripts. Undefined when it has too many elements or levels. */
export function readPage(html: string): Page | undefined {
  const isCut = html.length > LINT_LIMITS.chars;
  const document = parseModest(isCut ? html.slice(0, LINT_LIMITS.chars) : html);
  if (!document) return undefined;
  const { sheets, ...lists } = walk(document);
  const read = sheets.map(({ css, at }) => {
    const { rules, imports } = styleRules(css);
    const [placeOfRule, placeOfImport] = [placesIn(css, at), placesIn(css, at)];
    return {
      rules: rules.map((rule) => ({ ...rule, at: placeOfRule(rule.offset) })),
      imports: imports.map(placeOfImport),
    };
  });
  return {
    ...lists,
    rules: read.flatMap(({ rules }) => rules).slice(0, LINT_LIMITS.styleRules),
    imports: read.flatMap(({ imports }) => imports),
    styleChars: sheets.reduce((sum, { css }) => sum + css.length, 0),
    isCut,
  };
}

const TOO_MUCH = Symbol('too many elements or levels');

function parseModest(html: string): Dom.Document | undefined {
  let depth = 0;
  let count = 0;
  const treeAdapter = {
    ...defaultTreeAdapter,
    onItemPush() {
      if (++depth > LINT_LIMITS.depth || ++count > LINT_LIMITS.elements) throw TOO_MUCH;
    },
    onItemPop() {
      depth--;
    },
  };
  try {
    return parse(html, { treeAdapter, scriptingEnabled: false, sourceCodeLocationInfo: true });
  } catch (error) {
    if (error === TOO_MUCH) return undefined;
    throw error;
  }
}

function walk(document: Dom.Document): Lists {
  const lists: Lists = { elements: [], texts: [], comments: [], sheets: [], doctype: undefined };
  const pending: Item[] = children(document, undefined);
  for (let item = pending.pop(); item; item = pending.pop()) pending.push(...visit(item, lists));
  return lists;
}

/** Puts a node into its list. Returns what is to be visited next, the last one first. */
function visit({ node, parent }: Item, lists: Lists): Item[] {
  if ('data' in node) lists.comments.push({ text: node.data, at: placeOf(node) });
  else if (node.nodeName === '#documentType') lists.doctype = 'name' in node ? node.name : '';
  else if ('value' in node) {
    if (parent) lists.texts.push({ text: node.value, parent, at: placeOf(node) });
  } else if ('tagName' in node) {
    const element = elementOf(node, parent);
    lists.elements.push(element);
    if (node.tagName === 'style') lists.sheets.push(sheetOf(node, element));
    if (node.tagName !== 'style' && node.tagName !== 'script') return children(node, element);
  }
  return [];
}

function children(node: Dom.ParentNode, parent: PageElement | undefined): Item[] {
  return node.childNodes.map((child) => ({ node: child, parent })).reverse();
}

function elementOf(node: Dom.Element, parent: PageElement | undefined): PageElement {
  const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
  const start = {
    tag: node.tagName,
    attributes,
    parent,
    at: placeOf(node),
    isClosed: node.sourceCodeLocation?.endTag !== undefined,
    link: parent?.link,
    style: declarations(attributes.get('style') ?? ''),
    text: node.childNodes.map((child) => ('value' in child ? child.value : '')).join(''),
  };
  if (node.tagName !== 'a') return start;
  const element: PageElement = { ...start, link: undefined };
  return Object.assign(element, { link: element });
}

function sheetOf(node: Dom.Element, { text, at }: PageElement) {
  const [first] = node.childNodes;
  return { css: text, at: first ? placeOf(first) : at };
}

function placeOf({ sourceCodeLocation: location }: Dom.ChildNode): Place | undefined {
  return location ? { line: location.startLine, col: location.startCol } : undefined;
}

/** Returns the place so many characters further on in a text. Asked in rising order, it reads the text once. */
function placesIn(text: string, at: Place | undefined): (offset: number) => Place | undefined {
  let lines = 0;
  let start = 0;
  return (offset) => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
      lines++;
      start = end + 1;
    }
    return at && { line: at.line + lines, col: offset - start + (lines === 0 ? at.col : 1) };
  };
}

/** Gmail cuts an email off here, in bytes of HTML. */
export const CLIP_BYTES = 102_400;
