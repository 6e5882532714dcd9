import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RestTool } from '../tools/contract/define.ts';
import { readEvents } from './events.ts';
import { refusalOf, refusalOfEvent } from './failure.ts';
import { requestOf } from './request.ts';
import { type Server, send } from './server.ts';
import { progressLine, type Terminal } from './terminal.ts';

type Input = Readonly<Record<string, unknown>>;
/** Where calls of a command go. */
export type Caller = {
  readonly server: Server;
  readonly terminal: Terminal;
  readonly language?: string | undefined;
  readonly signal?: AbortSignal;
};

/**
 * Calls an operation and returns its answer. Work that tells how far it is, is followed.
 * @throws Refused, Unreachable
 */
export async function callOperation(tool: RestTool, input: Input, caller: Caller): Promise<unknown> {
  const tells = tool.job === true || tool.rest.events !== undefined;
  const response = await request(tool, input, caller, tells ? 'text/event-stream' : 'application/json');
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return listed(tool, response);
  const line = progressLine(caller.terminal);
  try {
    for await (const { name, data } of readEvents(response)) {
      if (name === 'progress' && isProgress(data)) line.show(data.done, data.total, data.message);
      if (name === 'error') throw refusalOfEvent(data);
      if (name === 'done') return data;
    }
  } finally {
    line.clear();
  }
  throw new Error(
    'The connection ended before the response was complete. Check whether the change was made, then run the command again.',
  );
}

/** A plain list has the cursor of its next page in a header. */
async function listed({ rest }: RestTool, response: Response): Promise<unknown> {
  const answer: unknown = await response.json();
  if (!rest.list) return answer;
  const [, next] = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  return { items: answer, next_cursor: next === undefined ? null : new URL(next).searchParams.get('cursor') };
}

/**
 * Calls an operation and writes its file, or the body of the type that fits the name; `-` is standard output.
 * @returns where it was written and how large it is, undefined where the answer has no such form
 */
export async function callForFile(tool: RestTool, input: Input, out: string, caller: Caller) {
  const accept = tool.rest.sendsFile ? 'application/octet-stream' : formatFor(tool, out);
  if (accept === undefined) return undefined;
  return writeBody(await request(tool, input, caller, accept), out, caller.terminal);
}

/** Writes what an address leads to. */
export async function download(url: string, out: string, { server, terminal, signal }: Caller) {
  const response = await send(
    server,
    { method: 'GET', path: url },
    { accept: '*/*', ...(signal && { signal }) },
  );
  if (!response.ok) throw await refusalOf(response);
  return writeBody(response, out, terminal);
}

function formatFor({ rest: { formats = {} } }: RestTool, out: string): string | undefined {
  const [only, ...others] = Object.keys(formats);
  const extension = out.slice(out.lastIndexOf('.') + 1);
  return (
    [only, ...others].find((type) => type?.endsWith(`/${extension}`)) ??
    (out === '-' && others.length === 0 ? only : undefined)
  );
}

async function request(tool: RestTool, input: Input, { server, language, signal }: Caller, accept: string) {
  const response = await send(server, requestOf(tool, input), {
    accept,
    language,
    ...(tool.effect !== 'read' && { idempotencyKey: randomUUID() }),
    ...(signal && { signal }),
  });
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** Through a file beside it, so that a half-written one never has the name asked for. */
async function writeBody(
  response: Response,
  out: string,
  terminal: Terminal,
): Promise<{ path: string; bytes: number }> {
  if (!response.body) throw new Error('The server sent no file.');
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      yield chunk;
    }
  };
  if (out === '-') {
    for await (const chunk of counted(response.body)) terminal.bytes(chunk);
    return { path: out, bytes };
  }
  const part = `${out}.${randomUUID().slice(0, 8)}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body), counted, createWriteStream(part, { flags: 'wx' }));
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { path: out, bytes };
}

/** Writes an answer as JSON. */
export async function writeJson(answer: unknown, out: string): Promise<void> {
  await writeFile(out, `${JSON.stringify(answer, null, 2)}\n`);
}

function isProgress(data: unknown): data is { done: number; total: number; message: string } {
  return typeof data === 'object' && data !== null && 'done' in data && 'total' in data && 'message' in data;
}
