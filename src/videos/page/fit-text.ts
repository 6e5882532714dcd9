import { dataNumber } from './data-values.ts';

const MIN_FACTOR = 0.3;
const STEPS = 10;

/**
 * Shrinks the font of an element until its text fits its box and the stage. `data-fit` may set the minimum factor;
 * longer text stays at that size.
 * @returns false when the text does not fit even so
 */
export function fitText(element: HTMLElement, stage: HTMLElement): boolean {
  const own = authoredSizes.get(element) ?? element.style.fontSize;
  authoredSizes.set(element, own);
  element.style.fontSize = own;
  const natural = Number.parseFloat(getComputedStyle(element).fontSize);
  if (fits(element, stage)) return true;
  const least = dataNumber(element.dataset['fit'], MIN_FACTOR, 0.01);
  let [low, high] = [least, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    resize(element, natural * middle);
    if (fits(element, stage)) low = middle;
    else high = middle;
  }
  resize(element, natural * low);
  return low > least || fits(element, stage);
}

/** Font sizes of the style attribute, since changed text is fitted again. */
const authoredSizes = new WeakMap<HTMLElement, string>();

function resize(element: HTMLElement, pixels: number): void {
  // Layout counts in 1/64 pixels.
  element.style.fontSize = `${Math.floor(pixels * 64) / 64}px`;
}

function fits(element: HTMLElement, stage: HTMLElement): boolean {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  if (scrollWidth > clientWidth + 1) return false;
  if (scrollHeight > clientHeight + 1 + overhang(element)) return false;
  const [box, outer] = [element.getBoundingClientRect(), stage.getBoundingClientRect()];
  return box.bottom <= outer.bottom + 1 && box.right <= outer.right + 1;
}

/** With tight line spacing, letters reach below the last line; that is not an overflow. */
function overhang(element: HTMLElement): number {
  const { fontSize, lineHeight } = getComputedStyle(element);
  const line = Number.parseFloat(lineHeight);
  return Number.isNaN(line) ? 0 : Math.max(0, (Number.parseFloat(fontSize) * 1.4 - line) / 2);
}
