import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { type HtmlPlaces, htmlPlaces, roleOf, type Shower } from '../../platform/html/html-places.ts';

/** Every place of a video page where the browser would load something, also from the page itself and from `data:`. */
export function pagePlaces(html: string): HtmlPlaces['places'] {
  return htmlPlaces(html, PAGE).places;
}

/** What names no file: nothing, a part of the page itself, or an empty page. */
export function namesFile(url: string): boolean {
  return !/^[\0- ]*(?:$|#|about:)/i.test(url);
}

const PAGE: Shower = { scripts: true, isElsewhere: namesFile, roleOf: roleInPage };

const SVG = 'http://www.w3.org/2000/svg';

function roleInPage(element: Tree.Element, name: string, value: string) {
  if (element.tagName === 'use' && name === 'href') return 'image';
  // In SVG many attributes are declarations of CSS, such as fill and mask.
  const isStyle = element.namespaceURI === SVG && name !== 'href' && /url\(|\\/i.test(value);
  return isStyle ? 'css' : roleOf(element, name);
}
