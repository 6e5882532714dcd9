import type { IOptions } from 'sanitize-html';
import type { Meter } from './meter.ts';

type Sanitize = (html: string, options: IOptions) => string;

const TAGS =
  'a abbr b blockquote br center cite code del div em font h1 h2 h3 h4 h5 h6 hr i img ins li ol p pre q s small span strong sub sup table tbody td tfoot th thead tr u ul';
/** No parentheses and no backslashes: nothing that loads, computes or hides a name. */
const STYLE = [/^[^()\\<>]{1,100}$/];
const STYLES =
  'color background-color font font-family font-size font-style font-weight line-height letter-spacing text-align text-decoration text-transform vertical-align width max-width height margin margin-top margin-right margin-bottom margin-left padding padding-top padding-right padding-bottom padding-left border border-top border-right border-bottom border-left border-color border-radius border-collapse list-style-type';
const OPTIONS: IOptions = {
  allowedTags: TAGS.split(' '),
  allowedAttributes: {
    '*': ['style', 'title', 'align', 'valign', 'width', 'height', 'bgcolor', 'dir', 'lang'],
    a: ['href', 'name', 'target', 'rel'],
    img: ['src', 'alt'],
    font: ['color', 'face', 'size'],
    table: ['border', 'cellpadding', 'cellspacing', 'role'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    ol: ['start', 'type'],
  },
  allowedStyles: { '*': Object.fromEntries(STYLES.split(' ').map((name) => [name, STYLE])) },
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'cid'],
  allowedSchemesByTag: { img: ['http', 'https', 'cid', 'data'] },
  allowProtocolRelative: true,
};

let sanitize: Sanitize | null = null;

/** Loads the sanitizer, which few templates need, before the first of them is rendered. */
export async function loadRichText(): Promise<void> {
  sanitize ??= (await import('sanitize-html')).default;
}

/** How much HTML one value may bring: the sanitizer takes as long for it as a whole render may. */
export const RICH_TEXT_LENGTH = 100_000;

let last = { html: '', safe: '' };

/** The harmless part of HTML that came with the data. */
export function safeHtml(html: string): string {
  if (!sanitize) throw new Error('loadRichText must have been awaited');
  if (html !== last.html) last = { html, safe: sanitize(html, OPTIONS) };
  return last.safe;
}

const ARRAY_LEVELS = 32;

/** The text Handlebars prints for a JSON value, found without calling anything the data could carry, such as a field named `toString`. */
export function plainText(value: unknown, meter: Meter): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return listText(value, meter, 0);
  if (typeof value === 'object') return '[object Object]';
  return String(value);
}

function listText(list: readonly unknown[], meter: Meter, level: number): string {
  let text = '';
  for (let index = 0; index < list.length; index++) {
    if ((index & 1023) === 0) meter.checkTime();
    const item = list[index];
    if (index > 0) text += ',';
    if (!Array.isArray(item)) text += plainText(item, meter);
    else if (level < ARRAY_LEVELS) text += listText(item, meter, level + 1);
  }
  meter.checkFits(text.length);
  return text;
}
