import { once } from 'node:events';
import { type Request, type Response, Router } from 'express';
import type { App } from '../src/app.ts';
import { Fault } from '../src/errors.ts';
import { type Locale, sayFault } from '../src/language.ts';
import type { Log } from '../src/platform/log.ts';
import type { Call, Tool } from '../tools/define.ts';
import { invoke, invokeLines } from '../tools/invoke.ts';
import { toJsonSchema } from '../tools/json-schema.ts';
import type { Registry } from '../tools/registry.ts';
import type { Authenticate } from './authentication.ts';
import { isNdjson, readJson, readNdjson } from './body.ts';
import { faultOf } from './faults.ts';
import { localeOf, requestIdOf } from './request.ts';

type FacadeParts = {
  readonly app: App;
  readonly registry: Registry;
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly language: Locale;
};

type Coercion = ReadonlyMap<string, string>;
type Source = 'path' | 'query' | 'body';

/** REST from the tools: every tool with a route answers there, through the same `invoke` as everywhere. */
export function createFacade(parts: FacadeParts): Router {
  const router = Router();
  for (const tool of parts.registry.tools) {
    if (!tool.route) continue;
    const [method, path] = splitRoute(tool.route);
    router[method](path, handlerOf(tool, parts));
  }
  return router;
}

/** `GET /v1/templates/{name}` → `['get', '/v1/templates/:name']`. */
function splitRoute(route: string) {
  const [method = '', path = ''] = route.split(' ');
  // The type Route holds the method to these five.
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  return [verb, path.replace(/\{(\w+)\}/g, ':$1')] as const;
}

function handlerOf(tool: Tool, parts: FacadeParts) {
  const coercion = coercionOf(tool);
  return async (req: Request, res: Response) => {
    const caller = await parts.authenticate(req);
    const { lines } = tool;
    const streams = lines !== undefined && isNdjson(req);
    if (!streams && req.method !== 'GET') await parseBody(req, res);
    const input = gather(req, coercion);
    const call = openCall(req, res, input.sources, { ...parts, caller });
    if (streams) return sendLines(res, invokeLines(lines, tool, input.raw, readNdjson(req), call), call);
    const { output, replayed } = await invoke(tool, input.raw, call);
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    send(tool, req, res, output);
  };
}

// Only the types a text of the query must be turned into; all others stay text for the schema to judge.
function coercionOf(tool: Tool): Coercion {
  const { properties = {} } = toJsonSchema(tool.input, 'input') as {
    properties?: Record<string, { type?: unknown }>;
  };
  return new Map(Object.entries(properties).map(([name, { type }]) => [name, String(type)]));
}

async function parseBody(req: Request, res: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    readJson(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}

/** Query, body and path as one input. A field may be named twice only when both say the same. */
function gather(req: Request, coercion: Coercion): { raw: object; sources: ReadonlyMap<string, Source> } {
  const body: unknown = req.body;
  if (body !== undefined && !isRecord(body)) {
    throw new Fault(
      'validation_failed.body',
      {},
      { errors: [{ loc: ['body'], key: 'validation_failed.body' }] },
    );
  }
  const query = Object.entries(req.query).map(
    ([name, value]) => [name, coerce(value, coercion.get(name))] as const,
  );
  const sources = new Map<string, Source>();
  for (const [name] of query) sources.set(name, 'query');
  for (const name of Object.keys(body ?? {})) sources.set(name, 'body');
  for (const [name, value] of Object.entries(req.params)) {
    const other = body?.[name] ?? req.query[name];
    if (other !== undefined && other !== value)
      throw new Fault('validation_failed.path_field', { field: name });
    sources.set(name, 'path');
  }
  return { raw: { ...Object.fromEntries(query), ...body, ...req.params }, sources };
}

function coerce(value: unknown, type: string | undefined): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if ((type === 'integer' || type === 'number') && value.trim() !== '' && Number.isFinite(Number(value))) {
    return Number(value);
  }
  return value;
}

function openCall(
  req: Request,
  res: Response,
  sources: ReadonlyMap<string, Source>,
  { app, caller, log, language }: FacadeParts & Pick<Call, 'caller'>,
): Call {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  const missing: Source = req.method === 'GET' || req.method === 'DELETE' ? 'query' : 'body';
  return {
    app,
    caller,
    log,
    signal: gone.signal,
    requestId: requestIdOf(req),
    locale: localeOf(req, language),
    progress: () => {},
    sourceOf: (field) => sources.get(field) ?? missing,
    ...preconditions(req),
  };
}

function preconditions(req: Request): Pick<Call, 'idempotencyKey' | 'ifMatch'> {
  const key = req.get('idempotency-key');
  if (key !== undefined && (key === '' || key.length > 255))
    throw new Fault('validation_failed.idempotency_key');
  const ifMatch = req.get('if-match')?.trim();
  return {
    ...(key !== undefined && { idempotencyKey: key }),
    ...(ifMatch !== undefined && ifMatch !== '*' && { ifMatch: strongTags(ifMatch) }),
  };
}

/** The tags of `If-Match` that can match: a weak one (`W/"…"`) never does. */
function strongTags(header: string): string[] {
  const tags = header.split(',').map((tag) => tag.trim());
  return tags.flatMap(
    (tag) => /^"(.*)"$/.exec(tag)?.[1] ?? (/^[^"]+$/.test(tag) && !tag.startsWith('W/') ? tag : []),
  );
}

function send(tool: Tool, req: Request, res: Response, output: unknown): void {
  // Tools are held without their types; each of these was written for this tool's output.
  const tag = tool.etag?.(output as never);
  if (tag !== undefined) res.setHeader('ETag', `"${tag}"`);
  res.statusCode = tool.status ?? (tool.effect === 'create' ? 201 : 200);
  if (tag !== undefined && req.method === 'GET' && hasTag(req, tag)) {
    res.statusCode = 304;
    res.end();
    return;
  }
  const format = tool.formats && req.accepts(['application/json', ...Object.keys(tool.formats)]);
  const write = format ? tool.formats?.[format] : undefined;
  const body = write ? write(output as never) : JSON.stringify(output);
  res.setHeader('Content-Type', `${write ? format : 'application/json'}; charset=utf-8`);
  // What others wrote is shown, never run, at our own address.
  if (write) res.setHeader('Content-Security-Policy', 'sandbox');
  const length = Buffer.byteLength(body);
  res.setHeader('Content-Length', length);
  // Most bodies are ASCII, which is much faster to copy as Latin-1, and the same bytes.
  res.end(Buffer.from(body, length === body.length ? 'latin1' : 'utf8'));
}

function hasTag(req: Request, tag: string): boolean {
  const known = req.get('if-none-match')?.split(',') ?? [];
  return known.some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === `"${tag}"`);
}

/** One JSON value a line, as fast as the reader takes them. An error after the first line becomes the last line. */
async function sendLines(
  res: Response,
  answers: AsyncIterable<unknown>,
  { locale, signal }: Call,
): Promise<void> {
  res.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
  try {
    for await (const answer of answers) {
      if (!res.write(`${JSON.stringify(answer)}\n`)) await once(res, 'drain', { signal });
    }
    res.end();
  } catch (error) {
    if (signal.aborted) return;
    if (!res.headersSent) throw error;
    const fault = faultOf(error);
    res.end(
      `${JSON.stringify({ error: { code: fault.code, status: fault.status, message: sayFault(fault, locale).detail } })}\n`,
    );
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
