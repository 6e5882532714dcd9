import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { type Organization, readOrganization } from './read-organization.ts';

/** A picture that may be the logo, with what speaks for it. */
type LogoFound = { readonly url: string; readonly where: string };

/** What the HTML of a page says of the company behind it. */
export type PageFacts = {
  readonly title?: string | undefined;
  readonly metas: ReadonlyMap<string, string>;
  readonly language?: string | undefined;
  readonly organization: Organization;
  readonly logos: readonly LogoFound[];
  readonly styleSheets: readonly string[];
  /** Text of its style elements. */
  readonly css: string;
  readonly addresses: readonly string[];
};

type Found = {
  title?: string | undefined;
  language?: string | undefined;
  organization: Organization;
  readonly metas: Map<string, string>;
  readonly logos: LogoFound[];
  readonly styleSheets: string[];
  readonly css: string[];
  readonly addresses: string[];
};

const MAX_NODES = 50_000;
const MAX_LOGOS = 8;
const MAX_TITLE_CHARS = 1_000;

/** Reads the HTML of a page. Addresses become whole ones of the page's own, and only `https:` ones are kept. */
export function readPage(html: string, address: string): PageFacts {
  const found: Found = {
    ...{ organization: {}, metas: new Map(), logos: [], styleSheets: [], css: [], addresses: [] },
  };
  const left: Tree.Node[] = [parse(html)];
  for (let count = 0; left.length > 0 && count < MAX_NODES; count++) {
    const node = left.pop();
    if (!node) break;
    if ('tagName' in node) readElement(node, address, found);
    // A call takes only so many arguments, and an element may have more children.
    if ('childNodes' in node)
      for (const child of node.childNodes.slice(0, MAX_NODES).reverse()) left.push(child);
  }
  const { logo } = found.organization;
  const own = logo === undefined ? [] : httpsOf(logo, address).map((url) => ({ url, where: 'JSON-LD logo' }));
  return { ...found, css: found.css.join('\n'), logos: [...own, ...found.logos].slice(0, MAX_LOGOS) };
}

function readElement(element: Tree.Element, base: string, found: Found): void {
  const get = (name: string) => element.attrs.find((one) => one.name === name)?.value ?? '';
  switch (element.tagName) {
    case 'html':
      found.language = get('lang') || undefined;
      return;
    case 'title':
      found.title ??= textOf(element).replace(/\s+/g, ' ').slice(0, MAX_TITLE_CHARS).trim();
      return;
    case 'meta': {
      const name = (get('property') || get('name')).toLowerCase();
      if (name && !found.metas.has(name)) found.metas.set(name, get('content').trim());
      return;
    }
    case 'style':
      found.css.push(textOf(element));
      return;
    case 'script':
      if (/ld\+json/i.test(get('type')))
        found.organization = { ...readOrganization(textOf(element)), ...found.organization };
      return;
    case 'link':
      readLink(get('rel').toLowerCase(), httpsOf(get('href'), base), found);
      return;
    case 'a':
      found.addresses.push(...httpsOf(get('href'), base));
      return;
    case 'img':
      readImage(element, httpsOf(get('src'), base), found);
  }
}

function readLink(rel: string, urls: readonly string[], found: Found): void {
  if (rel.includes('stylesheet')) found.styleSheets.push(...urls);
  else if (rel.includes('apple-touch-icon'))
    found.logos.push(...urls.map((url) => ({ url, where: 'link apple-touch-icon' })));
}

/** An image that calls itself a logo; before others, one in the header of the page. */
function readImage(element: Tree.Element, urls: readonly string[], found: Found): void {
  const says = element.attrs
    .filter(({ name }) => /^(?:src|alt|class|id)$/.test(name))
    .some(({ value }) => /logo|brand/i.test(value.slice(0, 500)));
  if (!says) return;
  const inHeader = isInside(element, /^(?:header|nav)$/);
  const logos = urls.map((url) => ({ url, where: inHeader ? 'img in the header' : 'img' }));
  if (inHeader) found.logos.unshift(...logos);
  else found.logos.push(...logos);
  found.logos.splice(MAX_LOGOS);
}

function isInside(element: Tree.Element, tags: RegExp): boolean {
  let at: Tree.ParentNode | null = element.parentNode;
  for (let level = 0; at && level < 100; level++) {
    if ('tagName' in at && tags.test(at.tagName)) return true;
    at = 'parentNode' in at ? at.parentNode : null;
  }
  return false;
}

function textOf({ childNodes }: Tree.Element): string {
  return childNodes
    .map((child) => ('value' in child ? child.value : ''))
    .join('')
    .trim();
}

function httpsOf(address: string, base: string): string[] {
  const url = URL.parse(address.trim(), base);
  return url?.protocol === 'https:' && url.href.length <= 2_000 ? [url.href] : [];
}
