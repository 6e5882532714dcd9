/** One mustache of a source, and the word that stands for it. Lines and columns count from 1. */
export type Mark = {
  readonly word: string;
  readonly mustache: string;
  /** Where the word begins in the masked text. */
  readonly at: number;
  readonly line: number;
  readonly col: number;
};

type Place = { readonly line: number; readonly col: number };
export type Moved = { readonly from: Place; readonly to: Place };

export type Masked = {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Puts the mustaches back, however often each word stands in the text. */
  unmask(text: string): string;
  /** For every word of a text, where its mustache will stand in the unmasked text and where it stood in the source. */
  placesIn(text: string): Moved[];
  /** The line of the source that a line of the masked text came from. */
  sourceLine(line: number): number;
};

// Comments, then mustaches of three braces and of two; a string or a name in brackets may hold braces.
const INNER = String.raw`"(?:[^"\\]|\\"?)*"|'(?:[^'\\]|\\'?)*'|\[[^\]]*\]`;
const MUSTACHE = new RegExp(
  [
    String.raw`\{\{~?!--[\s\S]*?--~?\}\}`,
    String.raw`\{\{~?!(?!--)[\s\S]*?\}\}`,
    String.raw`\{\{~?\{(?:${INNER}|(?!\}~?\}\})[^"'[])*\}~?\}\}`,
    String.raw`\{\{(?:${INNER}|(?!\}\})[^"'[])*\}\}`,
  ].join('|'),
  'g',
);

/**
 * Puts a word in the place of every mustache, so that quotes, angle brackets and line breaks in one mean nothing to the reader of
 * another language. The source must be Handlebars that parses.
 */
export function maskMustaches(source: string): Masked {
  const marks: Mark[] = [];
  const prefix = freePrefix(source);
  let text = '';
  let end = 0;
  const ruler = createRuler();
  for (const { 0: mustache, index } of source.matchAll(MUSTACHE)) {
    const before = source.slice(end, index);
    ruler.pass(before);
    text += before;
    const word = `${prefix}${marks.length}x`;
    marks.push({ word, mustache, at: text.length, ...ruler.place() });
    text += word;
    end = index + mustache.length;
    ruler.pass(mustache);
  }
  text += source.slice(end);
  const pattern = new RegExp(`${prefix}(\\d+)x`, 'g');

  return {
    text,
    marks,
    unmask: (output) =>
      output.replace(pattern, (word, index: string) => marks[Number(index)]?.mustache ?? word),
    placesIn(output) {
      const to = createRuler();
      let end = 0;
      return [...output.matchAll(pattern)].flatMap(({ 0: word, 1: number, index }) => {
        const mark = marks[Number(number)];
        to.pass(output.slice(end, index));
        end = index + word.length;
        const place = to.place();
        to.pass(mark?.mustache ?? word);
        return mark ? [{ from: { line: mark.line, col: mark.col }, to: place }] : [];
      });
    },
    sourceLine(masked) {
      let hidden = 0;
      for (const { line: own, mustache } of marks) {
        if (own - hidden >= masked) break;
        hidden += breaksIn(mustache);
      }
      return masked + hidden;
    },
  };
}

/** Letters that the source does not hold, so that no text of its own is taken for a mustache. */
function freePrefix(source: string): string {
  let prefix = 'mustache';
  while (source.includes(prefix)) prefix += 'q';
  return prefix;
}

/** Counts lines and columns over a text that is passed piece by piece. */
function createRuler() {
  let line = 1;
  let col = 1;
  return {
    pass(piece: string): void {
      const breaks = breaksIn(piece);
      line += breaks;
      col = breaks > 0 ? piece.length - piece.lastIndexOf('\n') : col + piece.length;
    },
    place: (): Place => ({ line, col }),
  };
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}
