import { randomBytes } from 'node:crypto';

/**
 * An answer as a model reads it: compact JSON, with every longer text taken out and put below it between marks that
 * the text cannot forge. Templates, stores and other models write those texts, so they are data, never instructions;
 * unescaped they also cost fewer tokens than inside JSON.
 */
export function modelText(value: unknown): string {
  const texts: string[] = [];
  const head = JSON.stringify(lift(value, '', texts));
  return [head, ...texts].join('\n');
}

/** Marks a text as data. The mark is random, so the text cannot close it. */
export function fence(label: string, text: string): string {
  const mark = `data-${randomBytes(8).toString('hex')}`;
  return `<${mark} of=${JSON.stringify(label)}>\n${text}\n</${mark}>`;
}

/** Cuts a text to `limit` bytes of UTF-8: whole characters, and every fence closed. */
export function cut(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  let end = limit - FENCE_END;
  while (isInsideCharacter(bytes[end])) end -= 1;
  const kept = bytes.subarray(0, end).toString();
  const open = openFence(kept);
  return open === undefined ? kept : `${kept}\n</${open}>`;
}

/** Bytes of the end of a fence, with its line break. */
const FENCE_END = '\n</data-0123456789abcdef>'.length;

const FENCE_START = /<(data-[0-9a-f]{16}) of=/g;

/** The mark of the fence that a cut text leaves open; a start inside a closed fence is only data. */
function openFence(text: string): string | undefined {
  const starts = new RegExp(FENCE_START);
  for (let start = starts.exec(text); start?.[1] !== undefined; start = starts.exec(text)) {
    const end = text.indexOf(`</${start[1]}>`, starts.lastIndex);
    if (end === -1) return start[1];
    starts.lastIndex = end;
  }
  return undefined;
}

/** UTF-8 continues a character with bytes 10xxxxxx. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}

function lift(value: unknown, path: string, texts: string[]): unknown {
  if (typeof value === 'string') {
    if (!isText(value)) return value;
    texts.push(fence(path, value));
    return '(below)';
  }
  if (Array.isArray(value)) return value.map((item, index) => lift(item, `${path}[${index}]`, texts));
  if (typeof value !== 'object' || value === null) return value;
  const inner = (name: string) => (path === '' ? name : `${path}.${name}`);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, lift(part, inner(name), texts)]),
  );
}

function isText(value: string): boolean {
  return value.length > 200 || value.includes('\n') || /<[a-z!/]/i.test(value);
}
