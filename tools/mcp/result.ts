import type { CallToolResult } from '@modelcontextprotocol/server';
import { localizeCall, localizeWarning, type Reader } from '../../src/language.ts';
import type { Tool } from '../contract/define.ts';
import { cutBytes } from './cut-bytes.ts';
import { type ModelText, modelText } from './model-text.ts';
import { bytesOf, structured } from './structured.ts';

/** Bytes of one answer besides its files, in whatever part a client gives to its model: they refuse answers of many more. */
export const TEXT_LIMIT = 24_000;

/**
 * Bytes of a page of a list: at most 6,000 tokens, since rows with IDs and times have 2.6 bytes a token. The next page is
 * one call away; a text that is cut is not.
 */
export const PAGE_LIMIT = 15_600;

// Room for the sentences below an answer, in any language.
export const NOTE_ROOM = 600;

type Client = Reader & {
  /** The client asked for structured content, and its list has the schema of this tool's. */
  readonly declared: boolean;
};

/** A list that was cut after its first items. */
export type CutList = { readonly shown: number; readonly count: number; readonly more: boolean };

/**
 * A tool's output as MCP answers it: as text for the model, or as structured content where the client asked for that. Never
 * as both: some clients give their model the one, some the other, and some both. What there is has marks, and is within
 * TEXT_LIMIT with the sentences for the model.
 */
export function answer(tool: Tool, output: unknown, reader: Client, cut?: CutList): CallToolResult {
  const next = nextOf(tool, output, reader);
  const notes = [...(cut ? [listNote(cut, reader)] : []), ...(next === undefined ? [] : [next])];
  if (reader.declared) {
    const { message } = localizeWarning({ key: 'answer_structured' }, reader);
    const said = [message, ...notes].join('\n');
    const room = TEXT_LIMIT - Buffer.byteLength(said);
    return { ...saying(said), structuredContent: structured(structuredOutput(tool, output), room, reader) };
  }
  const { text, shown, bytes } = textOf(tool, output, TEXT_LIMIT - NOTE_ROOM);
  const whole = shown < bytes ? [text, cutNote(shown, bytes, reader)] : [text];
  return saying([...whole, ...notes].join('\n'));
}

const saying = (text: string): Pick<CallToolResult, 'content'> => ({ content: [{ type: 'text', text }] });

/** What the model gets, where that has members too; a text for people to read says less than the output. */
function structuredOutput({ mcp }: Tool, output: unknown): Record<string, unknown> {
  const value = mcp ? mcp.view?.(output as never) : undefined;
  // Only an object has a declared schema.
  return (typeof value === 'object' ? value : output) as Record<string, unknown>;
}

/** Bytes of an answer that is not cut. */
export function answerBytes(tool: Tool, output: unknown, declared: boolean): number {
  // The marks of structured content have sentences.
  if (declared) return 2 * NOTE_ROOM + bytesOf(structuredOutput(tool, output));
  return NOTE_ROOM + Buffer.byteLength(textOf(tool, output, Number.POSITIVE_INFINITY).text);
}

/** What a model reads of a tool's output. */
function textOf({ mcp }: Tool, output: unknown, limit: number): ModelText {
  if (!mcp) return modelText(output, limit);
  const { view, own } = mcp;
  // The registry hides the output's type; the tool's functions take what the tool's own schema has parsed.
  const parsed = output as never;
  const shown = view ? view(parsed) : output;
  // A list without rows has no lines, and a model can't tell an empty text from a lost one.
  const value = shown === '' ? 'Nothing found.' : shown;
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
