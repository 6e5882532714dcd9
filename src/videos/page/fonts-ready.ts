import { dataNumber } from './data-values.ts';

/**
 * Loads every font that the page shows, now or later, whatever is displayed.
 * @param laterText what will be written by and by, such as captions
 */
export async function fontsReady(stage: HTMLElement, laterText: string): Promise<void> {
  const wanted = new Map<string, string>();
  for (const element of [stage, ...stage.querySelectorAll('*')]) {
    const text = ownText(element, laterText);
    if (text === '') continue;
    const { fontStyle, fontWeight, fontFamily } = getComputedStyle(element);
    const font = `${fontStyle} ${dataNumber(fontWeight, 400)} 16px ${fontFamily}`;
    wanted.set(font, `${wanted.get(font) ?? ''}${text}`);
  }
  // A font that cannot be loaded leaves its place to the next of its family list, as in every page.
  await Promise.allSettled([...wanted].map(([font, text]) => document.fonts.load(font, distinct(text))));
  // Layout asks for what is left, such as the text of pseudo-elements.
  stage.getBoundingClientRect();
  await document.fonts.ready;
}

const NUMBERS = '0123456789.,-−+%\u00a0\u202f’';

function ownText(element: Element, laterText: string): string {
  if (element.matches('[data-captions], [data-captions] *')) return laterText;
  if (element instanceof HTMLElement && element.dataset['countTo'] !== undefined)
    return `${NUMBERS}${element.dataset['countPrefix'] ?? ''}${element.dataset['countSuffix'] ?? ''}`;
  return [...element.childNodes]
    .map((node) => (node instanceof Text ? node.data : ''))
    .join('')
    .trim();
}

function distinct(text: string): string {
  return [...new Set(text)].join('');
}
