import { languageOf } from './element-language.ts';

export type SplitUnit = 'words' | 'letters' | 'lines';

/** A word, or the text between words. */
type Part = { readonly text: string; readonly isWord: boolean };

/**
 * Wraps words or letters of an element into spans that can be animated separately: `--i` is the index of each, `--n`
 * on the element the count. Nested elements and spaces are kept.
 */
export function splitText(element: HTMLElement, unit: 'words' | 'letters'): HTMLElement[] {
  const text = element.textContent;
  const byLetters = unit === 'letters' && LETTERS_STAND_ALONE.test(text);
  // A screen reader would read single letters.
  if (byLetters && !element.ariaLabel) element.ariaLabel = text.replace(/\s+/g, ' ').trim();
  const language = languageOf(element);
  const pieces = textNodes(element).flatMap((node) => {
    const wrapped = wordsOf(node.data, language).map(({ text, isWord }) => {
      if (!isWord) return { node: document.createTextNode(text), pieces: [] };
      return byLetters ? letters(text, language) : wholeWord(text);
    });
    node.replaceWith(...wrapped.map(({ node }) => node));
    return wrapped.flatMap(({ pieces }) => pieces);
  });
  return numberPieces(element, pieces, (_, index) => index);
}

/** Sets the index of each piece and the count on the element. */
function numberPieces(
  element: HTMLElement,
  pieces: HTMLElement[],
  indexOf: (piece: HTMLElement, index: number) => number,
): HTMLElement[] {
  let count = 0;
  pieces.forEach((piece, at) => {
    const index = indexOf(piece, at);
    count = Math.max(count, index + 1);
    piece.style.setProperty('--i', String(index));
  });
  element.style.setProperty('--n', String(count));
  return pieces;
}

/**
 * Splits text into words and the text between. Punctuation stays with its word. Scripts without spaces are cut at
 * word boundaries of the language, since lines could not break otherwise.
 */
export function wordsOf(text: string, language: string): Part[] {
  return text
    .split(/([ \t\n\r\f\u200b]+)/)
    .filter((part) => part !== '')
    .flatMap((part): Part[] => {
      if (/^[ \t\n\r\f\u200b]/.test(part)) return [{ text: part, isWord: false }];
      const words = WITHOUT_SPACES.test(part) ? cutWords(part, language) : [part];
      return words.map((word) => ({ text: word, isWord: true }));
    });
}

const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

// In other scripts, the shape of a letter depends on its neighbors.
const LETTERS_STAND_ALONE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]*$/u;

function cutWords(text: string, language: string): string[] {
  const words: string[] = [];
  let isOpen = false;
  for (const { segment, isWordLike } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    const last = words.length - 1;
    // A closing mark must not start a line, nor an opening one end it.
    if (last >= 0 && (isOpen || !(isWordLike || OPENING.test(segment)))) words[last] += segment;
    else words.push(segment);
    isOpen = OPENING.test(segment);
  }
  return words;
}

const OPENING = /^[\p{Ps}\p{Pi}]+$/u;

function textNodes(element: HTMLElement): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const isOurs = !node.parentElement?.closest('svg, script, style');
    if (node instanceof Text && node.data.trim() !== '' && isOurs) nodes.push(node);
  }
  return nodes;
}

function wholeWord(text: string) {
  const node = piece(text);
  return { node, pieces: [node] };
}

function letters(word: string, language: string) {
  const node = document.createElement('span');
  node.toggleAttribute('data-nowrap', true);
  node.ariaHidden = 'true';
  const pieces = [...new Intl.Segmenter(language).segment(word)].map(({ segment }) => piece(segment));
  node.append(...pieces);
  return { node, pieces };
}

/** An element that is animated separately. */
function piece(text: string): HTMLElement {
  const span = document.createElement('span');
  span.toggleAttribute('data-piece', true);
  span.textContent = text;
  return span;
}

/** Right-to-left scripts: words in separate boxes would change their order. */
export const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Wraps each line of an element as the browser broke it. With nested elements, words are the pieces, and those of one
 * line share an index.
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

/** Each word with the preceding space, and its box. */
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

/** A box lower than the previous one by more than half its height starts a line. */
function lineIndexes(boxes: readonly DOMRect[]): number[] {
  let line = 0;
  return boxes.map((box, index) => {
    const before = boxes[index - 1];
    if (before && box.bottom - before.bottom > Math.min(box.height, before.height) / 2) line += 1;
    return line;
  });
}
