import type { CDPSession } from 'puppeteer-core';
import { z } from 'zod';

/** A shown document, and what it was made from. */
type Shown = {
  readonly cdp: CDPSession;
  readonly html: string;
  /** Look at hidden text too, such as that of later scenes. */
  readonly hidden?: boolean;
  /** Text that the document shows later. */
  readonly later?: string;
};

// Every font has these: Latin letters, and the punctuation of European languages.
const LATIN = '\\u0000-\\u024f\\u2010-\\u2027\\u2030-\\u203a\\u20ac\\u2122';
/** The least that can be missing: a character outside LATIN, as it is or as a reference. */
const MAY_MISS = new RegExp(
  `[^${LATIN}]|&#(?:x[0-9a-f]{3,}|\\d{4,})|&(?!(?:nbsp|amp|lt|gt|quot|apos|copy|reg|trade|euro|[lr][sd]quo|hellip|[mn]dash|bull|middot|zwnj|zwj|shy);)[a-z]\\w*;`,
  'iu',
);
/** Characters that draw something. Those without a glyph of their own, such as joiners, are never missed. */
const VISIBLE = `(?![\\s\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Cf}\\u20e3])[^${LATIN}]`;

/** Text of a style sheet. */
const GENERATED = /content\s*:/i;

const MOST_MISSING = 100;

const Found = z.array(z.string().max(2)).max(MOST_MISSING);

/**
 * Finds the characters of the shown document that no font has, which are blanks or boxes in pictures. Asks the browser,
 * so fonts of the machine, of these packages and of the document count. A document of Latin letters costs one search.
 * @returns distinct characters in code point order, at most 100
 */
export async function findMissingGlyphs({ cdp, html, hidden = false, later = '' }: Shown): Promise<string[]> {
  if (!MAY_MISS.test(html) && !MAY_MISS.test(later)) return [];
  const options = JSON.stringify({
    visible: VISIBLE,
    hidden,
    later,
    generated: GENERATED.test(html),
    most: MOST_MISSING,
  });
  const { result } = await cdp.send('Runtime.evaluate', {
    expression: `(${MISSING_IN_PAGE})(${options})`,
    returnByValue: true,
  });
  // A script of a video template can make the check impossible. Then nothing is known.
  return Found.safeParse(result.value).data ?? [];
}

const SAMPLE = 10;

/** The warning for these characters, or none: how many they are, and the first of them. */
export function glyphWarnings(missing: readonly string[] = []) {
  const characters = missing.length;
  if (characters === 0) return [];
  const sample = missing.slice(0, SAMPLE).join(' ');
  return [{ key: 'glyphs_missing', params: { characters, sample }, characters, sample } as const];
}

// Runs in the page. A missing character is drawn like one that Unicode has not assigned: as the font's sign for it. The
// methods come from prototypes, since an element named like a method replaces it.
const MISSING_IN_PAGE = String.raw`({ visible: pattern, hidden, later, generated, most }) => {
  const visible = new RegExp(pattern, 'gu');
  const UNASSIGNED = '\u0378';
  const MOST_CHARACTERS = 5000;
  const { createTreeWalker, createElement } = Document.prototype;
  const styleOf = (node, pseudo) => getComputedStyle(node, pseudo);

  const byFont = new Map();
  let count = 0;
  const collect = (text, style) => {
    if (count > MOST_CHARACTERS) return;
    const characters = text.match(visible);
    if (characters === null) return;
    const font = style.fontStyle + ' ' + style.fontWeight + ' 32px ' + style.fontFamily;
    const known = byFont.get(font) ?? new Set();
    byFont.set(font, known);
    for (const character of characters) {
      if (!known.has(character)) count++;
      known.add(character);
    }
  };
  const isShown = (element) => hidden || Element.prototype.checkVisibility.call(element);

  const walker = createTreeWalker.call(document, document, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) {
      const element = node.parentElement;
      visible.lastIndex = 0;
      if (element === null || !visible.test(node.data)) continue;
      if (/^(?:script|style|title|template|noscript|textarea)$/.test(element.tagName.toLowerCase())) continue;
      if (isShown(element)) collect(node.data, styleOf(element));
    } else if (generated) {
      for (const pseudo of ['::before', '::after']) {
        const style = styleOf(node, pseudo);
        visible.lastIndex = 0;
        if (visible.test(style.content) && isShown(node)) collect(style.content, style);
      }
    }
  }
  collect(later, styleOf(Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get.call(document)));

  const canvas = createElement.call(document, 'canvas');
  canvas.width = canvas.height = 96;
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  const sizeOf = (text) => {
    const size = drawing.measureText(text);
    return [size.width, size.actualBoundingBoxLeft, size.actualBoundingBoxRight, size.actualBoundingBoxAscent]
      .map((side) => side.toFixed(2))
      .join();
  };
  const pixelsOf = (text) => {
    drawing.clearRect(0, 0, 96, 96);
    drawing.fillText(text, 32, 64);
    return new Uint32Array(drawing.getImageData(0, 0, 96, 96).data.buffer);
  };

  const missing = new Set();
  for (const [font, characters] of byFont) {
    drawing.font = font;
    const size = sizeOf(UNASSIGNED);
    let pixels;
    for (const character of characters) {
      if (missing.size === most || missing.has(character) || sizeOf(character) !== size) continue;
      pixels ??= pixelsOf(UNASSIGNED);
      if (pixelsOf(character).every((pixel, at) => pixel === pixels[at])) missing.add(character);
    }
  }
  return [...missing].sort((a, b) => a.codePointAt(0) - b.codePointAt(0));
}`;
