import type { CDPSession } from 'puppeteer-core';
import { EMOJI_FAMILIES } from './fallback-fonts.ts';

/** A loaded document, and what it was made from. */
type Loaded = {
  readonly cdp: CDPSession;
  readonly html: string;
  /** Text that elements show later, and a selector for these elements. */
  readonly later?: { readonly text: string; readonly within: string };
};

/** The minimum of an emoji: a character that can be drawn as an image, written directly or as a reference. */
const MAY_BE_EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3|&#(?:x[0-9a-f]{4,}|\d{4,})/iu;

/**
 * Names the fonts of color emoji for the elements that have some, after their own fonts. Left to itself, the browser asks
 * for ONE font for all emoji of several characters, and ours are in several files: 1️⃣ would be a digit and a box. An emoji
 * that another font of the machine draws in black would come from there.
 */
export async function colorEmoji({ cdp, html, later }: Loaded): Promise<void> {
  const within = later && MAY_BE_EMOJI.test(later.text) ? later.within : undefined;
  if (within === undefined && !MAY_BE_EMOJI.test(html)) return;
  const families = EMOJI_FAMILIES.map((family) => JSON.stringify(family)).join(', ');
  const options = JSON.stringify({ families, within });
  await cdp.send('Runtime.evaluate', { expression: `(${NAME_FONTS})(${options})` });
}

// Runs in the page. A font of emoji has digits too, so what the browser takes where none of the element's own fonts exists
// is named before it: its standard font, else the one that the system has for the name Sans. The methods come from
// prototypes, since an element named like a method replaces it.
const NAME_FONTS = String.raw`({ families, within }) => {
  const emoji = /\p{RGI_Emoji}/v;
  const { createTreeWalker, querySelectorAll } = Document.prototype;
  const { get: styleOf } = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'style');
  const found = new Set(within === undefined ? [] : querySelectorAll.call(document, within));
  const texts = createTreeWalker.call(document, document, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (emoji.test(data)) found.add(parentElement);
  }
  const elements = [...found].filter((each) => each instanceof HTMLElement);
  const fonts = elements.map((each) => getComputedStyle(each).fontFamily);
  for (const [at, each] of elements.entries())
    styleOf.call(each).setProperty('font-family', fonts[at] + ', -webkit-standard, Sans, ' + families, 'important');
}`;
