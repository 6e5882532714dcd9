import { z } from 'zod';
import type { Cell, SheetRows } from '../../sync/ports/sheet-client.ts';
import { SheetsApiFault } from './faults.ts';

/** Bytes that are made rows of at a time. */
const PART_BYTES = 16 * 1024;

const ValueRange = z.object({ range: z.string().catch(''), values: z.array(z.unknown()).default([]) });

/**
 * The rows in the JSON of an answer with `values`. It is kept as it came, and made rows of as they are gone through: all
 * of them at once take five times as much, and have V8 take as much again. Throws SheetsApiFault `lost` for what is no
 * such answer.
 */
export function answeredRows(answer: Buffer): SheetRows & { readonly range: string } {
  const { parts, range } = partsOf(answer);
  const length = filledRows(answer, parts);
  return {
    range,
    length,
    *[Symbol.iterator]() {
      let left = length;
      for (const part of parts)
        for (const row of rowsIn(answer, part)) {
          if (left === 0) return;
          left--;
          yield row;
        }
    },
  };
}

/** The one range in an answer that has nothing but its `valueRanges`; undefined: there is none. */
export function onlyRange(answer: Buffer): Buffer | undefined {
  const begin = BEGIN.exec(answer.toString('latin1', 0, EDGE_BYTES));
  const end = END.exec(answer.toString('latin1', Math.max(0, answer.length - EDGE_BYTES)));
  return begin && end ? answer.subarray(begin[0].length, answer.length - end[0].length) : undefined;
}

const EDGE_BYTES = 256;
const BEGIN = /^\s*\{\s*"valueRanges"\s*:\s*\[\s*\{\s*"valueRange"\s*:\s*(?=\{)/;
const END = /\}\s*\]\s*\}\s*$/;

/** Whole rows of the answer, with commas in between. */
type Part = { readonly from: number; readonly to: number };

function partsOf(answer: Buffer): { readonly parts: Part[]; readonly range: string } {
  const first = firstRow(answer);
  const { parts, end } = first === undefined ? { parts: [], end: 0 } : splitRows(answer, first);
  const rest = answer.toString('utf8', 0, first ?? 0) + answer.toString('utf8', end);
  const { data } = ValueRange.safeParse(parsed(rest));
  if (!data) throw undocumented();
  return { parts, range: data.range };
}

/** Where the rows begin; undefined: there is no list of them. */
function firstRow(answer: Buffer): number | undefined {
  let depth = 0;
  for (let at = 0; at < answer.length; at++) {
    const byte = answer[at];
    if (byte === OPEN || byte === OPEN_OBJECT) depth++;
    if (byte === CLOSE || byte === CLOSE_OBJECT) depth--;
    if (byte !== QUOTE) continue;
    const end = endOfText(answer, at);
    const colon = spaceAfter(answer, end + 1);
    const list = spaceAfter(answer, colon + 1);
    const isValues = depth === 1 && answer.toString('latin1', at, end + 1) === '"values"';
    if (isValues && answer[colon] === COLON && answer[list] === OPEN) return list + 1;
    at = end;
  }
  return undefined;
}

function splitRows(answer: Buffer, first: number): { readonly parts: Part[]; readonly end: number } {
  const parts: Part[] = [];
  let from = spaceAfter(answer, first);
  if (answer[from] === CLOSE) return { parts, end: from };
  for (let at = from; answer[at] === OPEN; ) {
    const to = endOfRow(answer, at) + 1;
    const end = spaceAfter(answer, to);
    if (answer[end] === CLOSE) return { parts: [...parts, { from, to }], end };
    if (answer[end] !== COMMA) break;
    at = spaceAfter(answer, end + 1);
    if (at - from < PART_BYTES) continue;
    parts.push({ from, to });
    from = at;
  }
  throw undocumented();
}

/** Rows up to the last that has any cell. */
function filledRows(answer: Buffer, parts: readonly Part[]): number {
  let rows = 0;
  let filled = 0;
  for (const part of parts)
    for (const row of rowsIn(answer, part)) {
      rows++;
      if (row.length > 0) filled = rows;
    }
  return filled;
}

function rowsIn(answer: Buffer, { from, to }: Part): Cell[][] {
  const rows = parsed(`[${answer.toString('utf8', from, to)}]`);
  if (!isRows(rows)) throw undocumented();
  for (const row of rows) while (row.at(-1) === '') row.pop();
  return rows;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw undocumented();
  }
}

/** Looked at and not copied, as a schema of arrays would: there can be a million cells. */
export function isRows(value: unknown): value is Cell[][] {
  return Array.isArray(value) && value.every((row) => Array.isArray(row) && row.every(isCell));
}

function isCell(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const [QUOTE, ESCAPE, COMMA, COLON] = Buffer.from('"\\,:');
const [OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('[]{}');
const SPACE = new Set(Buffer.from(' \t\n\r'));

function endOfRow(answer: Buffer, start: number): number {
  for (let at = start; at < answer.length; at++) {
    if (answer[at] === CLOSE) return at;
    if (answer[at] === QUOTE) at = endOfText(answer, at);
  }
  throw undocumented();
}

function endOfText(answer: Buffer, start: number): number {
  for (let at = start + 1; at < answer.length; at++) {
    if (answer[at] === QUOTE) return at;
    if (answer[at] === ESCAPE) at++;
  }
  throw undocumented();
}

function spaceAfter(answer: Buffer, start: number): number {
  let at = start;
  while (SPACE.has(answer[at] ?? 0)) at++;
  return at;
}

export function undocumented(): SheetsApiFault {
  return new SheetsApiFault('lost', 'the answer is not in its documented form');
}
