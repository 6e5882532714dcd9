import { type DefaultTreeAdapterTypes as Dom, defaultTreeAdapter, parse } from 'parse5';
import { declarations } from './declarations.ts';
import type { Place } from './finding.ts';
import { LINT_LIMITS } from './limits.ts';
import type { Page, PageComment, PageElement, PageText } from './page.ts';
import { styleRules } from './style-rules.ts';

type Item = { readonly node: Dom.ChildNode; readonly parent: PageElement | undefined };

/** What a walk through the tree gathers. */
type Lists = {
  readonly elements: PageElement[];
  readonly texts: PageText[];
  readonly comments: PageComment[];
  readonly sheets: { readonly css: string; readonly at: Place | undefined }[];
  doctype: string | undefined;
};

/** Reads html as a mail client does: without scripts. Undefined when it has too many elements or levels. */
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

/** Puts a node into its list. Answers what is to be visited next, the last one first. */
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

/** Answers the place so many characters further on in a text. Asked in rising order, it reads the text once. */
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
