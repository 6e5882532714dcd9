import { contrast, formatColor } from '../color.ts';
import type { EffectiveStyle, Examined } from '../effective-style.ts';
import { foreignTags } from '../foreign-tags.ts';
import type { PageElement, PageText } from '../page.ts';
import type { Found } from '../rules.ts';
import { MUSTACHE } from './links.ts';

/** Rules about text that people read: its colors, its size, its font, and what should not be in it. */
export function* reading({ page, looks }: Examined): Iterable<Found> {
  const shown = page.texts.filter(({ text, parent }) => isText(text) && !looks.get(parent)?.isHidden);
  for (const text of shown) {
    const look = looks.get(text.parent);
    if (!look) continue;
    const at = text.parent.at ?? text.at;
    yield* colors(look, at);
    yield* sizes(look, at);
    if (!isCode(text)) yield* placeholders(text.text, at);
  }
  for (const element of page.elements) {
    const font = lonelyFont(element);
    if (font !== undefined && !looks.get(element)?.isHidden)
      yield { rule: 'font-fallback', at: element.at, params: { font } };
  }
}

function isText(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}

function* placeholders(text: string, at: Found['at']): Iterable<Found> {
  const left = MUSTACHE.exec(text)?.[0];
  if (left !== undefined) yield { rule: 'unfilled-variable', at, params: { text: left } };
  for (const tag of foreignTags(text))
    yield { rule: 'foreign-tag', at, params: { text: tag }, group: `foreign-tag ${tag}` };
}

function isCode({ parent }: PageText): boolean {
  for (let outer: PageElement | undefined = parent; outer; outer = outer.parent)
    if (outer.tag === 'code' || outer.tag === 'pre') return true;
  return false;
}

/** Bounds of WCAG 2.2 AA: 3 for text from 24 px, or from 18.66 px in bold, and 4.5 for smaller text. */
function* colors({ color, background, size, isBold }: EffectiveStyle, at: Found['at']): Iterable<Found> {
  if (!color || !background) return;
  const ratio = contrast(color, background);
  const isLarge = size === undefined || size >= 24 || (isBold && size >= 18.66);
  const needed = isLarge ? 3 : 4.5;
  if (ratio >= needed) return;
  const pair = { colour: formatColor(color), background: formatColor(background) };
  const params = { ...pair, ratio: (Math.floor(ratio * 100) / 100).toFixed(2), needed };
  yield { rule: 'contrast', at, params, group: `contrast ${pair.colour} ${pair.background}` };
}

function* sizes({ size }: EffectiveStyle, at: Found['at']): Iterable<Found> {
  if (size === undefined || size >= 12) return;
  const params = { size: Math.round(size * 10) / 10 };
  if (size < 10) yield { rule: 'font-tiny', at, params, group: `font-tiny ${params.size}` };
  else yield { rule: 'font-small', at, params };
}

const COMMON =
  /\b(?:arial|helvetica|verdana|tahoma|trebuchet ms|georgia|times|times new roman|courier|courier new|palatino|garamond|lucida|impact|serif|sans-serif|monospace|cursive|fantasy|system-ui|inherit|initial|unset)\b/i;

/** The font asked for, when nothing every device has comes after it. */
function lonelyFont({ style }: PageElement): string | undefined {
  const written = style.find(({ property }) => property === 'font-family')?.value.slice(0, 500);
  if (written === undefined || COMMON.test(written) || written.includes('var(')) return undefined;
  return written.slice(0, 80);
}
