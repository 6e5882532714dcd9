import { Fault, type FaultDetail, type FaultParams } from '../../../errors.ts';
import type { QueueCaller } from '../../../platform/fair-queue.ts';
import type { Engine, Program, Source } from '../../engine/engine.ts';
import { faultOf } from '../../engine/problem.ts';
import type { Finisher } from '../finish.ts';

/** One expression of a source, and the word that stands for it. Lines and columns count from 1. */
export type Mark = {
  readonly word: string;
  readonly mustache: string;
  /** Where the word starts in the masked text. */
  readonly at: number;
  readonly line: number;
  readonly col: number;
};

type Place = { readonly line: number; readonly col: number };
export type Moved = { readonly from: Place; readonly to: Place };

export type Masked = {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Puts the expressions back, however often each word stands in the text. */
  unmask(text: string): string;
  /** For every word of a text, where its expression will stand in the unmasked text and where it stood in the source. */
  placesIn(text: string): Moved[];
  /** The line of the source that a line of the masked text came from. */
  sourceLine(line: number): number;
};

// Comments, then expressions of three braces and of two; a string or a name in brackets may hold braces.
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
 * Puts a word in the place of every expression, so that quotes, angle brackets and line breaks in one mean nothing to the reader of
 * another language. The source must be Handlebars that parses.
 */
export function maskExpressions(source: string): Masked {
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

/** Letters that the source does not hold, so that no text of its own is taken for an expression. */
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

/**
 * Compiles a source whose HTML is MJML. Its expressions are checked in the MJML first and in the HTML made of it then, and what is
 * wrong is reported with its place in the MJML.
 * @throws Fault as `Engine.prepare`, and template_invalid for the MJML itself
 */
export async function prepareMjml(
  { engine, finisher }: { engine: Engine; finisher: Finisher },
  source: Source,
  asker?: QueueCaller,
): Promise<Program> {
  if (source.kind !== 'template') throw new Fault('template_invalid.mjml_kind', { kind: source.kind });
  if (source.inLayout) throw new Fault('template_invalid.mjml_layout');
  await engine.prepare(source, asker);
  const made = await finisher.compileMjml(source.html, asker);
  if ('problems' in made) throw faultOf(made.problems);
  const { html, moved } = made;
  try {
    return await engine.prepare({ ...source, html, generated: true }, asker);
  } catch (error) {
    throw error instanceof Fault ? inSource(error, moved) : error;
  }
}

/** The same fault with the places of the MJML; what has none there is said to be at its start. */
function inSource(fault: Fault, moved: readonly Moved[]): Fault {
  const places = new Map(moved.map(({ from, to }) => [`${to.line}:${to.col}`, from]));
  const start = { line: 1, col: 1 };
  const inMjml = (params: FaultParams) =>
    params['field'] === 'html' && params['line'] !== undefined
      ? { ...params, ...(places.get(`${params['line']}:${params['col']}`) ?? start) }
      : params;
  const errors = fault.errors.map((detail): FaultDetail => {
    if (!('key' in detail) || detail.loc[1] !== 'html' || detail.line === undefined) return detail;
    const params = inMjml(detail.params ?? {});
    return { ...detail, params, ...(places.get(`${detail.line}:${detail.col}`) ?? start) };
  });
  return new Fault(fault.key, inMjml(fault.params), { errors, cause: fault });
}
