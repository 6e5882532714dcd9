/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Gives texts with Hebrew, Arabic and the like their own direction, unless the template sets one. Pages without them
 * stay as they are.
 * @param laterText text that is written later, into the elements for captions
 */
export function directTexts(stage: HTMLElement, laterText: string): void {
  for (const element of [stage, ...stage.querySelectorAll('*')]) {
    const text = element.matches('[data-captions]') ? laterText : ownText(element);
    if (RIGHT_TO_LEFT.test(text) && element.closest('[dir]') === null) element.setAttribute('dir', 'auto');
  }
}

function ownText(element: Element): string {
  return [...element.childNodes].map((node) => (node instanceof Text ? node.data : '')).join('');
}
