import { languageOf } from './data-values.ts';
import { numberPieces, piece, splitText, wordsOf } from './split-text.ts';

/** Texts that are written from right to left, or partly so: words in boxes of their own would change their order. */
export const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Wraps each line of an element as the browser has broken it. With elements inside, its words become the pieces, and
 * those of one line have the same index.
 */
export function splitLines(element: HTMLElement): HTMLElement[] {
  if (element.childElementCount === 0) return wholeLines(element);
  if (RIGHT_TO_LEFT.test(element.textContent)) return numberPieces(element, [element], () => 0);
  const words = splitText(element, 'words');
  const lines = lineIndexes(words.map((word) => word.getBoundingClientRect()));
  return numberPieces(element, words, (_, index) => lines[index] ?? 0);
}

function wholeLines(element: HTMLElement): HTMLElement[] {
  element.style.hyphens = 'manual';
  const node = element.firstChild;
  if (!(node instanceof Text)) return [];
  element.normalize();
  const words = placesOfWords(node, languageOf(element));
  const indexes = lineIndexes(words.map(({ box }) => box));
  const lines: string[] = [];
  words.forEach(({ text }, at) => {
    const line = indexes[at] ?? 0;
    lines[line] = `${lines[line] ?? ''}${text}`;
  });
  const pieces = lines.map((line) => piece(line.trim()));
  for (const line of pieces) line.toggleAttribute('data-line', true);
  element.replaceChildren(...pieces.flatMap((line, at) => (at === 0 ? [line] : [' ', line])));
  return numberPieces(element, pieces, (_, index) => index);
}

/** Each word with the space before it, and where it stands. */
function placesOfWords(node: Text, language: string): { text: string; box: DOMRect }[] {
  const range = document.createRange();
  const places: { text: string; box: DOMRect }[] = [];
  let at = 0;
  let space = '';
  for (const { text, isWord } of wordsOf(node.data, language)) {
    range.setStart(node, at);
    range.setEnd(node, at + text.length);
    at += text.length;
    if (isWord) places.push({ text: space + text, box: range.getClientRects()[0] ?? new DOMRect() });
    space = isWord ? '' : ' ';
  }
  return places;
}

/** A box that stands lower than the one before it by more than half its height begins a line. */
function lineIndexes(boxes: readonly DOMRect[]): number[] {
  let line = 0;
  return boxes.map((box, index) => {
    const before = boxes[index - 1];
    if (before && box.bottom - before.bottom > Math.min(box.height, before.height) / 2) line += 1;
    return line;
  });
}
