import type { Examined } from '../examined.ts';
import type { Found } from '../finding.ts';
import type { PageElement } from '../page.ts';

/** Rules about the head of the html and what it says of the whole mail. */
export function* document({ page }: Examined): Iterable<Found> {
  const first = (tag: string) => page.elements.find((element) => element.tag === tag);
  const html = first('html');
  const metas = page.elements.filter(({ tag }) => tag === 'meta');
  if (page.doctype?.toLowerCase() !== 'html') yield { rule: 'doctype' };
  if (!html?.attributes.get('lang')?.trim() && !isSaidBelow(page.elements))
    yield { rule: 'html-lang', at: html?.at };
  if (!first('title')?.text.trim()) yield { rule: 'title', at: first('title')?.at };
  if (!metas.some(saysCharset)) yield { rule: 'charset' };
  if (!metas.some((meta) => named(meta, 'viewport'))) yield { rule: 'viewport' };
  if (!metas.some((meta) => named(meta, 'color-scheme'))) yield { rule: 'color-scheme' };
}

// Webmail drops the html element, so mails say the language on the element around all else too.
function isSaidBelow(elements: readonly PageElement[]): boolean {
  const body = elements.find(({ tag }) => tag === 'body');
  return elements.some((element) => {
    const isOutermost = element === body || (body !== undefined && element.parent === body);
    return isOutermost && Boolean(element.attributes.get('lang')?.trim());
  });
}

function saysCharset({ attributes }: PageElement): boolean {
  const isType = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
  return attributes.has('charset') || (isType && /charset=/i.test(attributes.get('content') ?? ''));
}

function named({ attributes }: PageElement, name: string): boolean {
  return attributes.get('name')?.toLowerCase() === name;
}
