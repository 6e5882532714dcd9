import { localizeWarning, type Reader } from '../../src/language.ts';
import { cutBytes } from './cut-bytes.ts';
import { newMark } from './model-text.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * An output as structured content, for clients that asked for it. A model may read it, so it has the marks of the text around its
 * values, as members that come first and last in the order written and in that of the alphabet. Above `limit` bytes a
 * long text becomes `{bytes, start}`, and a list its first items; schemaShown allows both.
 */
export function structured(output: Json, limit: number, reader: Reader): Json {
  const whole = marked(output, undefined, reader);
  const excess = bytesOf(whole) - limit;
  if (excess <= 0) return whole;
  const marks = bytesOf(marked({}, 'answer_shortened', reader));
  return marked(shrink(output, limit - marks), 'answer_shortened', reader);
}

export const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function marked(output: Json, shortened: 'answer_shortened' | undefined, reader: Reader): Json {
  const mark = newMark();
  const say = (key: 'answer_data' | 'answer_shortened') => localizeWarning({ key }, reader).message;
  return {
    [`<${mark}>`]: say('answer_data'),
    ...output,
    [`~</${mark}>`]: shortened ? say(shortened) : '',
  };
}

/** Characters of a text that may be longer than its shown schema says; below them it always stays a text. */
export const ALWAYS_TEXT = 200;

const STEPS: readonly ((output: Json) => Json)[] = [
  (output) => membersOf(output, (part) => shorten(part, { text: 2000, items: Number.POSITIVE_INFINITY })),
  ...[64, 32, 16, 8, 4, 2, 1].map(
    (items) => (output: Json) => membersOf(output, (part) => shorten(part, { text: 2000, items })),
  ),
  (output) => membersOf(output, (part) => shorten(part, { text: ALWAYS_TEXT, items: 1 })),
];

/** The first shortening that fits; what has too many levels for any loses all below the first. */
function shrink(output: Json, limit: number): Json {
  for (const step of STEPS) {
    const shorter = step(output);
    if (bytesOf(shorter) <= limit) return shorter;
  }
  return membersOf(output, (part) => shorten(part, { text: ALWAYS_TEXT, items: 0 }));
}

type Bounds = { readonly text: number; readonly items: number };

function shorten(part: unknown, bounds: Bounds): unknown {
  if (typeof part === 'string') return part.length > bounds.text ? startOf(part, bounds.text) : part;
  if (Array.isArray(part)) return part.slice(0, bounds.items).map((item) => shorten(item, bounds));
  if (typeof part !== 'object' || part === null) return part;
  // An object of the caller's own keys is a list of pairs.
  const members = Object.entries(part).slice(0, bounds.items * 16);
  return Object.fromEntries(members.map(([name, inner]) => [name, shorten(inner, bounds)]));
}

const startOf = (text: string, limit: number) => ({
  bytes: Buffer.byteLength(text),
  start: cutBytes(text, limit),
});

function membersOf(output: Json, change: (part: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(output).map(([name, part]) => [name, change(part)]));
}
