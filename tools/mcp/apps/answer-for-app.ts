import type { CallToolResult } from '@modelcontextprotocol/server';
import { Fault } from '../../../src/errors.ts';
import type { Reader } from '../../../src/language.ts';
import type { Tool } from '../../contract/define.ts';
import { bytesOf, structured } from '../structured.ts';

/** Bytes of the data that an app gets: more than any answer for a model, since it shows a whole email. */
const APP_LIMIT = 8 * 1024 * 1024;

/** Where a result names what its app shows. */
const SHOWN = 'stallhand/id';

/**
 * The complete output of a tool that only apps call, since no model is meant to read it. It is still between
 * marks, in case a client gives it to one.
 * @throws Fault too_large
 */
export function answerForApp(output: unknown, reader: Reader): CallToolResult {
  // The outputs of tools for apps are objects.
  const data = output as Readonly<Record<string, unknown>>;
  const bytes = bytesOf(data);
  if (bytes > APP_LIMIT) throw new Fault('too_large.app_data', { bytes, limit: APP_LIMIT });
  const whole = structured(data, Number.POSITIVE_INFINITY, reader);
  return { content: [{ type: 'text', text: 'OK' }], structuredContent: whole };
}

/** The ID of what the app of a tool shows: an ID is the product's own, so it needs no marks. */
export function shownId({ mcp }: Tool, output: unknown): Pick<CallToolResult, '_meta'> {
  // The registry hides the output's type; the tool's functions take what the tool's own schema has parsed.
  const id = mcp ? mcp.app?.id?.(output as never) : undefined;
  return id ? { _meta: { [SHOWN]: id } } : {};
}
