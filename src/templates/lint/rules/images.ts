import type { Examined } from '../examined.ts';
import type { Found } from '../finding.ts';
import type { PageElement } from '../page.ts';
import { isMergeTag, schemeOf, shortened } from './links.ts';

/** Rules about images. Images of one pixel count readers and are left alone. */
export function* images({ page, looks }: Examined): Iterable<Found> {
  const hasBase = page.elements.some(({ tag }) => tag === 'base');
  for (const element of page.elements) {
    if (element.tag !== 'img' || isPixel(element)) continue;
    const { attributes, at } = element;
    yield* source(element, hasBase);
    if (!attributes.has('alt')) yield { rule: 'img-alt', at };
    const styles = looks.get(element)?.styles;
    if (
      !attributes.has('width') &&
      !styles?.has('width') &&
      !attributes.has('height') &&
      !styles?.has('height')
    )
      yield { rule: 'img-dimensions', at };
  }
}

function* source({ attributes, at }: PageElement, hasBase: boolean): Iterable<Found> {
  const address = (attributes.get('src') ?? '').trim();
  const scheme = schemeOf(address);
  const params = { address: shortened(address) };
  if (isMergeTag(address)) return;
  if (scheme === 'data') yield { rule: 'img-data', at };
  else if (scheme === 'http' || address.startsWith('//')) yield { rule: 'img-insecure', at, params };
  else if (!['https', 'cid'].includes(scheme) && !(hasBase && scheme === '' && address !== ''))
    yield { rule: 'img-source', at, params };
}

function isPixel({ attributes, style }: PageElement): boolean {
  return ['width', 'height'].every((side) => {
    const size = attributes.get(side) ?? style.find(({ property }) => property === side)?.value;
    return size !== undefined && Number.parseFloat(size) <= 1;
  });
}
