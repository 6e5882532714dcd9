import type { CallToolResult } from '@modelcontextprotocol/server';
import { localizeCall, localizeWarning, type Reader } from '../../src/language.ts';
import type { Tool } from '../contract/define.ts';
import { cutBytes } from './cut-bytes.ts';
import { type ModelText, modelText } from './model-text.ts';
import { bytesOf, structured } from './structured.ts';

/** Bytes of one answer besides its files, in whatever part a client gives to its model: they refuse answers of many more. */
export const TEXT_LIMIT = 24_000;

// Room for the sentences below an answer, in any language.
export const NOTE_ROOM = 600;

type Client = Reader & {
  /** The list this client got says what the tool's structured content is, so it may read that. */
  readonly declared: boolean;
};

/** A list that was cut after its first items. */
export type CutList = { readonly shown: number; readonly count: number; readonly more: boolean };

/**
 * A tool's output as MCP answers it: text for the model, and the output itself where the client was told its schema. A
 * client may give its model the one, the other or both, so each has its marks and both together are within TEXT_LIMIT.
 */
export function answer(tool: Tool, output: unknown, reader: Client, cut?: CutList): CallToolResult {
  const { declared } = reader;
  const limit = declared ? textRoom(bytesOf(structuredOutput(tool, output))) : TEXT_LIMIT;
  const { text, shown, bytes } = textOf(tool, output, limit - NOTE_ROOM);
  const next = nextOf(tool, output, reader);
  const notes = [
    ...(shown < bytes ? [cutNote(shown, bytes, reader)] : []),
    ...(cut ? [listNote(cut, reader)] : []),
    ...(next === undefined ? [] : [next]),
  ];
  const whole = [text, ...notes].join('\n');
  const content: CallToolResult['content'] = [{ type: 'text', text: whole }];
  if (!declared) return { content };
  const room = TEXT_LIMIT - Buffer.byteLength(whole);
  return { content, structuredContent: structured(structuredOutput(tool, output), room, reader) };
}

/** What the model gets, where that has members too; a text for people to read says less than the output. */
function structuredOutput({ mcp }: Tool, output: unknown): Record<string, unknown> {
  const value = mcp ? mcp.view?.(output as never) : undefined;
  // Only an object has a declared schema.
  return (typeof value === 'object' ? value : output) as Record<string, unknown>;
}

/** Half for each, or what the structured content leaves. */
function textRoom(structuredBytes: number): number {
  return Math.max(TEXT_LIMIT / 2, TEXT_LIMIT - NOTE_ROOM - structuredBytes);
}

/** Bytes of an answer that is not cut. */
export function answerBytes(tool: Tool, output: unknown, declared: boolean): number {
  const { text } = textOf(tool, output, Number.POSITIVE_INFINITY);
  return (
    NOTE_ROOM + Buffer.byteLength(text) + (declared ? NOTE_ROOM + bytesOf(structuredOutput(tool, output)) : 0)
  );
}

export const fits = (bytes: number) => bytes <= TEXT_LIMIT;

/** What a model reads of a tool's output. */
function textOf({ mcp }: Tool, output: unknown, limit: number): ModelText {
  if (!mcp) return modelText(output, limit);
  const { view, own } = mcp;
  // The registry hides the output's type; the tool's functions take what the tool's own schema has parsed.
  const parsed = output as never;
  const value = view ? view(parsed) : output;
  return own ? ownText(value, limit) : modelText(value, limit);
}

/** What the tool says to do next. */
function nextOf({ mcp }: Tool, output: unknown, reader: Reader): string | undefined {
  if (!mcp) return undefined;
  return mcp.next?.(output as never, (tool, input = {}) => localizeCall(tool, input, reader));
}

function ownText(value: unknown, limit: number): ModelText {
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  const text = cutBytes(whole, limit);
  return { text, shown: Buffer.byteLength(text), bytes: Buffer.byteLength(whole) };
}

/** Says that a text is cut, and what to do. */
export function cutNote(shown: number, bytes: number, reader: Reader): string {
  return `[${localizeWarning({ key: 'answer_cut', params: { shown, bytes } }, reader).message}]`;
}

function listNote({ shown, count, more }: CutList, reader: Reader): string {
  const key = more ? 'answer_page' : 'answer_list';
  return `[${localizeWarning({ key, params: { shown, count } }, reader).message}]`;
}
