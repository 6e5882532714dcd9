import { randomBytes } from 'node:crypto';
import { cutBytes } from './cut-bytes.ts';

/**
 * An answer as a model reads it. Templates, stores and other models write the values in it, so all of it is data, never
 * instructions: it stands between two marks that no value can know.
 *
 * A text is data as it is. Anything else is compact JSON, with every longer text taken out and put below it, where it
 * needs no escaping.
 * @param limit Bytes of the whole.
 */
export function modelText(value: unknown, limit = Number.POSITIVE_INFINITY): ModelText {
  const mark = newMark();
  const whole = typeof value === 'string' ? value : withTextsBelow(value, mark);
  const marks = Buffer.byteLength(between(mark, ''));
  const shown = cutBytes(whole, limit - marks);
  return {
    text: between(mark, shown),
    shown: Buffer.byteLength(shown),
    bytes: Buffer.byteLength(whole),
  };
}

export type ModelText = {
  readonly text: string;
  /** Bytes of the data that are in `text`, and that there are. */
  readonly shown: number;
  readonly bytes: number;
};

/** A mark that is new for every answer, so that no text can close it. */
export function newMark(): string {
  return `data-${randomBytes(8).toString('hex')}`;
}

function between(mark: string, data: string): string {
  return `<${mark}>\n${data}\n</${mark}>`;
}

function withTextsBelow(value: unknown, mark: string): string {
  const texts: string[] = [];
  const take = (path: string, text: string) => {
    texts.push(`<${mark} of=${JSON.stringify(path)}>\n${text}`);
    return '(below)';
  };
  const head = JSON.stringify(lift(value, '', take));
  return [head, ...texts].join('\n');
}

/** Characters above which escaping a text costs more than the mark above it. */
const LONG = 200;

function lift(value: unknown, path: string, take: (path: string, text: string) => string): unknown {
  if (typeof value === 'string') return value.length > LONG ? take(path, value) : value;
  if (Array.isArray(value)) return value.map((item, index) => lift(item, `${path}[${index}]`, take));
  if (typeof value !== 'object' || value === null) return value;
  const inner = (name: string) => (path === '' ? name : `${path}.${name}`);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, lift(part, inner(name), take)]),
  );
}
