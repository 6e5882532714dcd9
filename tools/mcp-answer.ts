import type { CallToolResult } from '@modelcontextprotocol/server';
import { Fault } from '../src/errors.ts';
import { type Locale, localizeWarning } from '../src/language.ts';
import type { Tool } from './define.ts';
import { cut, modelText } from './model-text.ts';
import { problem } from './problem.ts';

/** Bytes of text a model is given in one answer; clients refuse answers of many more. */
export const TEXT_LIMIT = 24_000;

/** Bytes of JSON above which an answer to a read is refused: it would choke the client, and nothing has happened yet. */
export const READ_LIMIT = 1024 * 1024;

// Room for the sentence that says a text is cut, in any language.
const NOTE_ROOM = 400;

/**
 * A tool's output as MCP answers it: text for the model, and the output itself for programs.
 *
 * Only the text is cut. The structured part stays whole, because a shortened one would break its schema or, worse, pass
 * for the real value in a program that stores it; and an error in its place would deny a write that has happened.
 * @throws Fault too_large.answer for a read of more than READ_LIMIT.
 */
export function answer(tool: Tool, output: unknown, locale: Locale): CallToolResult {
  const bytes = Buffer.byteLength(JSON.stringify(output));
  if (tool.effect === 'read' && bytes > READ_LIMIT)
    throw new Fault('too_large.answer', { limit: READ_LIMIT });
  const text = bounded(textOf(tool, output), locale);
  return { content: [{ type: 'text', text }], structuredContent: output as Structured };
}

// The output has been parsed by the tool's own schema, which is the schema the client is shown.
type Structured = CallToolResult['structuredContent'];

/** What a model reads of a tool's output. */
export function textOf(tool: Tool, output: unknown): string {
  // The registry hides the output's type; the tool's view takes what the tool's own schema has parsed.
  return tool.view?.(output as never) ?? modelText(output);
}

/** A fault as MCP answers it: an error the model can read and act on, not an error of the protocol. */
export function refusal(fault: Fault, locale: Locale, requestId: string): CallToolResult {
  const { detail, errors, code, status } = problem(fault, locale, requestId);
  const more = Object.keys(fault.data).length > 0 ? [modelText(fault.data)] : [];
  const text = bounded(
    [detail, ...errors.map((error) => errorLine(error, detail)), ...more].join('\n'),
    locale,
  );
  const retryAfter = fault.retryAfterSeconds === undefined ? {} : { retry_after: fault.retryAfterSeconds };
  return {
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { code, status, request_id: requestId, ...retryAfter },
  };
}

type PlacedError = ReturnType<typeof problem>['errors'][number] & { line?: number; col?: number };

/** One place at fault. Where the sentence is the whole answer's own, it is not said twice. */
function errorLine({ loc, msg, line, col }: PlacedError, detail: string): string {
  const [source, ...rest] = loc;
  const place = (isSource(source) ? rest : loc).join('.');
  const position = line === undefined ? '' : ` (line ${line}${col === undefined ? '' : `, column ${col}`})`;
  const said = [place, msg === detail ? '' : msg].filter(Boolean).join(': ');
  return `- ${said}${position}`;
}

/** The first part of a place says where REST had it from, which means nothing here. */
function isSource(part: string | number | undefined): boolean {
  return part === 'arguments' || part === 'body' || part === 'query' || part === 'path';
}

function bounded(text: string, locale: Locale): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= TEXT_LIMIT) return text;
  const kept = cut(text, TEXT_LIMIT - NOTE_ROOM);
  const note = localizeWarning(
    { key: 'answer_cut', params: { shown: Buffer.byteLength(kept), bytes } },
    locale,
  );
  return `${kept}\n\n[${note.message}]`;
}
