import type { CallToolResult } from '@modelcontextprotocol/server';
import { Fault, type FaultDetail } from '../../src/errors.ts';
import type { Reader } from '../../src/language.ts';
import { problem } from '../contract/problem.ts';
import { cutBytes } from './cut-bytes.ts';
import { modelText } from './model-text.ts';
import { cutNote, NOTE_ROOM, TEXT_LIMIT } from './result.ts';

/**
 * A fault as MCP answers it: an error the model can read and act on, not an error of the protocol. The
 * sentences are ours, so a model may follow them; text in them that someone else wrote is below as data.
 */
export function refusal(fault: Fault, reader: Reader, requestId: string): CallToolResult {
  const foreign: Record<string, string> = {};
  const { detail, errors, code, status } = problem(withoutTexts(fault, foreign), reader, requestId);
  const lines = [detail, ...errors.map((error) => errorLine(error, detail)).filter((line) => line !== '')];
  const data = { ...fault.data, ...foreign };
  const said = cutBytes([...new Set(lines)].join('\n'), TEXT_LIMIT / 2);
  const more = Object.keys(data).length > 0 ? dataText(data, reader) : [];
  const retryAfter = fault.retryAfterSeconds === undefined ? {} : { retry_after: fault.retryAfterSeconds };
  return {
    content: [{ type: 'text', text: [said, ...more].join('\n') }],
    isError: true,
    _meta: { code, status, request_id: requestId, ...retryAfter },
  };
}

function dataText(data: Readonly<Record<string, unknown>>, reader: Reader): string[] {
  const { text, shown, bytes } = modelText(data, TEXT_LIMIT / 2 - NOTE_ROOM);
  return shown < bytes ? [text, cutNote(shown, bytes, reader)] : [text];
}

type PlacedError = ReturnType<typeof problem>['errors'][number] & { line?: number; col?: number };

/** One place at fault, unless the sentence above has said it all. */
function errorLine({ loc, msg, line, col }: PlacedError, detail: string): string {
  const [source, ...rest] = loc;
  const place = (isSource(source) ? rest : loc).join('.');
  const position = line === undefined ? '' : ` (line ${line}${col === undefined ? '' : `, column ${col}`})`;
  const isSaid = detail.includes(msg) && (msg === detail || detail.includes(place));
  if (isSaid && position === '') return '';
  const said = [place, isSaid ? '' : msg].filter(Boolean).join(': ');
  return `- ${said}${position}`;
}

/** The first part of a place says where REST had it from, which means nothing here. */
function isSource(part: string | number | undefined): boolean {
  return part === 'arguments' || part === 'body' || part === 'query' || part === 'path';
}

/** Values that the product itself makes of its own words: names to choose from, and the summary of wrong fields. */
const OURS: readonly string[] = [
  'summary',
  'known',
  'signature',
  'scopes',
  'expected',
  'setting',
  'settings',
  'url',
];

/** Words of a name; an order has more. */
const NAME = /^\S{0,80}(?: \S{1,30}){0,2}$/;

/** The fault with the texts that are longer than a name taken out of its sentences, into `taken`. */
function withoutTexts(fault: Fault, taken: Record<string, string>): Fault {
  const take = (params: Fault['params']) =>
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => {
        if (typeof value !== 'string' || OURS.includes(name) || NAME.test(value)) return [name, value];
        const place = name in taken && taken[name] !== value ? `${name} ${Object.keys(taken).length}` : name;
        taken[place] = value;
        return [name, `(${place}, below)`];
      }),
    );
  const errors = fault.errors.map(
    (error): FaultDetail =>
      'params' in error && error.params ? { ...error, params: take(error.params) } : error,
  );
  const { data, retryAfterSeconds } = fault;
  return new Fault(fault.key, take(fault.params), {
    errors,
    data,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
