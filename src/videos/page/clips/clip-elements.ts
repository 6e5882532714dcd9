/** `<video>`, and an image whose file is a clip; see composition/build-composition.ts. */
type ClipElement = HTMLVideoElement | HTMLImageElement;

/** The elements of a page that show a clip, in document order. */
export function clipElements(stage: HTMLElement): ClipElement[] {
  const all = stage.querySelectorAll<ClipElement>('video, img[data-clip]');
  return [...all].filter((element) => clipSource(element) !== '');
}

/** The address of its file, or none. */
export function clipSource(element: Element): string {
  if (element instanceof HTMLImageElement) return element.dataset['clip'] ?? '';
  return element.getAttribute('src') ?? element.querySelector('source')?.getAttribute('src') ?? '';
}

/** Attributes that mean something else on a canvas, or nothing. */
const REPLACED = new Set(['src', 'srcset', 'width', 'height', 'poster', 'data-clip']);

/** Puts a canvas, or another element, in the place of an element: its attributes, its size as written, and its style rules hold for it. */
export function replaceElement(element: Element, canvas: HTMLElement, number: number): void {
  for (const { name, value } of element.attributes) if (!REPLACED.has(name)) canvas.setAttribute(name, value);
  canvas.dataset['clip'] = `${element.localName}-${number}`;
  element.replaceWith(canvas);
}

type Size = { readonly width: number; readonly height: number };

/** What the browser would do to such an element by default; styles of the page override it. */
export function defaultStyle(element: Element, number: number, clip?: Size): string {
  const fit = element.localName === 'video' ? 'contain' : 'fill';
  const sides = ['width', 'height'].flatMap((side) => {
    const [, size, percent = 'px'] = /^(\d+(?:\.\d+)?)(%?)$/.exec(element.getAttribute(side) ?? '') ?? [];
    return size === undefined ? [] : [`${side}:${size}${percent || 'px'}`];
  });
  // Not that of the bitmap, which follows the box.
  const ratio = clip ? `aspect-ratio:${clip.width}/${clip.height};` : '';
  return `[data-clip="${element.localName}-${number}"]{translate:0;object-fit:${fit};${ratio}${sides.join(';')}}`;
}

/** Rules for `video` and `img` are made to hold for the canvases in their place, with the same specificity. */
export function extendSelectors(names: ReadonlySet<string>): void {
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets])
    for (const rule of rulesIn(sheet)) extendSelector(rule, names);
}

function extendSelector(rule: CSSRule, names: ReadonlySet<string>): void {
  if (rule instanceof CSSStyleRule) {
    const extended = rule.selectorText.replace(TYPE_SELECTOR, (name) =>
      names.has(name.toLowerCase()) ? `:is(${name},:where([data-clip^="${name.toLowerCase()}-"]))` : name,
    );
    if (extended !== rule.selectorText) rule.selectorText = extended;
  }
  if ('cssRules' in rule) for (const inner of rulesIn(rule as CSSGroupingRule)) extendSelector(inner, names);
}

// Not a part of a name, class, ID, pseudo-class or attribute.
const TYPE_SELECTOR = /(?<![\w\-.#:[="'\\])(?:video|img)(?![\w-])/gi;

function rulesIn(owner: CSSStyleSheet | CSSGroupingRule): CSSRule[] {
  try {
    return [...owner.cssRules];
  } catch {
    // The rules of a sheet from elsewhere cannot be read.
    return [];
  }
}
