import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { App } from '../../src/app.ts';
import { Fault } from '../../src/errors.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { Locale } from '../../src/language.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Voice } from '../../src/voice.ts';
import { type Call, hasRest, type RestTool, restForm, type Tool } from '../../tools/contract/define.ts';
import { deliverByLink } from '../../tools/contract/delivered.ts';
import { invoke, invokeLines } from '../../tools/contract/invoke.ts';
import { toJsonSchema } from '../../tools/contract/json-schema.ts';
import type { Registry } from '../../tools/contract/registry.ts';
import { requireScope } from '../../tools/contract/require-scope.ts';
import type { Authenticate } from '../auth/authentication.ts';
import { isNdjson, readJson, readNdjson } from '../body.ts';
import { setRateLimitHeaders } from '../rate-limit.ts';
import { baseUrlOf, type Exchange, readerOf, requestIdOf } from '../request.ts';
import { createUploads, type ReceivedFile, type Uploads } from '../upload.ts';
import { sendEvents, wantsEvents } from './event-response.ts';
import { createFileAnswer, wantsBytes } from './file-response.ts';
import { sendLines } from './lines-response.ts';
import { respondAsync, wantsJob } from './respond-async.ts';
import { send, setWarningsHeader } from './response.ts';

export type FacadeParts = {
  readonly app: App;
  readonly registry: Registry;
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly language: Locale;
  readonly voice: Voice;
  /** Where people reach the server, for the links it answers; unset, where the request came in. */
  readonly publicUrl: string | undefined;
};

type Coercion = ReadonlyMap<string, string>;
type Source = 'path' | 'query' | 'body';

export type Facade = {
  /** Every route. */
  readonly router: Router;
  /** Our own routes without parameters, spelled as they are here: found at once, where a router tries all patterns in turn. */
  readonly exact: RequestHandler;
};

/**
 * REST from the tools: every tool with a route answers there, through the same `invoke` as everywhere.
 *
 * In: a request to a route of a tool. Out: its result as JSON, a file or a stream, or a problem. Invariant: every call
 * goes through `invoke`.
 */
export function createFacade(parts: FacadeParts): Facade {
  const router = Router();
  const routers = new Map<string, Router>();
  const uploads = createUploads();
  for (const tool of parts.registry.tools.filter(hasRest).map(restForm)) {
    const [method, path] = splitRoute(tool.rest);
    const handler = handlerOf(tool, parts, uploads);
    router[method](path, handler);
    // The route of a plug-in never comes before one of ours.
    if (tool.rest.route.includes('{') || tool.toolset === 'plugins') continue;
    const own = routers.get(path) ?? Router();
    routers.set(path, own[method](path, handler));
  }
  return {
    router,
    exact: (req, res, next) => {
      const own = routers.get(req.path);
      // What OPTIONS answers is said by all patterns that fit.
      if (own && req.method !== 'OPTIONS') own(req, res, next);
      else next();
    },
  };
}

/** The methods that a path takes with some tool, such as `GET, HEAD, PATCH`; empty where no tool has the path. */
export function methodsOf({ tools }: Registry, path: string): string[] {
  const matching = tools.filter(hasRest).flatMap((tool) => {
    const [method = '', pattern = ''] = tool.rest.route.split(' ');
    return patternOf(pattern, tool.rest.wildcard).test(path) ? [method] : [];
  });
  return [...new Set(matching.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort();
}

function patternOf(path: string, wildcard: string | undefined): RegExp {
  const segments = path
    .split(/\{\w+\}/)
    .map(RegExp.escape)
    .join('[^/]+');
  return new RegExp(`^${wildcard === undefined ? segments : segments.replace(/\[\^\/\]\+$/, '.+')}/?$`, 'i');
}

/** `GET /v1/templates/{template}` → `['get', '/v1/templates/:template']`. */
function splitRoute({ route, wildcard }: RestTool['rest']) {
  const [method = '', path = ''] = route.split(' ');
  // The type Route holds the method to these five.
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const pattern = path.replace(/\{(\w+)\}/g, (_, name: string) => `${name === wildcard ? '*' : ':'}${name}`);
  return [verb, pattern] as const;
}

function handlerOf(tool: RestTool, parts: FacadeParts, uploads: Uploads) {
  const coercion = coercionOf(tool);
  return async (req: Request, res: Response) => {
    const caller = await parts.authenticate(req, tool.anonymous, tool.whileDeleted);
    const { lines, upload } = tool.rest;
    const streams = lines !== undefined && isNdjson(req);
    if (!upload || !isUpload(req, upload.mediaType)) return answer(req, res, caller, streams);
    // Before anything of it is kept.
    requireScope(tool.name, tool.scope, caller);
    return uploads.receive(req, upload, caller.accountId, (file) => {
      req.body = { [upload.field]: file.sha256 };
      return answer(req, res, caller, streams, file);
    });
  };

  async function answer(
    req: Request,
    res: Response,
    caller: Caller,
    streams: boolean,
    upload?: ReceivedFile,
  ): Promise<void> {
    if (['POST', 'PUT', 'PATCH'].includes(req.method) && !streams && !upload)
      refuseQuery(tool, req, coercion);
    if (!streams && !upload && req.method !== 'GET') await parseBody(readJson, req, res);
    const input = gather(req, coercion);
    const call = { ...openCall(req, res, input.sources, { ...parts, caller }), ...(upload && { upload }) };
    const { lines } = tool.rest;
    if (streams && lines)
      return sendLines(res, invokeLines(lines, tool, input.raw, readNdjson(req), call), call);
    if (wantsJob(tool, req)) return respondAsync(tool, input.raw, call, res, baseUrlOf(req, parts.publicUrl));
    if (wantsEvents(tool, req)) return sendEvents(res, call, (heard) => invoke(tool, input.raw, heard));
    return respond(tool, input.raw, call, { req, res, baseUrl: baseUrlOf(req, parts.publicUrl) });
  }
}

async function respond(tool: RestTool, raw: object, call: Call, exchange: Exchange): Promise<void> {
  const { req, res } = exchange;
  const file = wantsBytes(tool, req) ? createFileAnswer() : undefined;
  try {
    const { output, replayed } = await invoke(tool, raw, { ...call, ...(file && { deliver: file.deliver }) });
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    if (file) setWarningsHeader(res, output);
    if (!(await file?.send(res))) send(tool, exchange, output);
  } finally {
    await file?.close();
  }
}

function isUpload(req: Request, mediaType: string): boolean {
  return mediaType === '*/*' ? !req.is(['json', '+json']) : Boolean(req.is(mediaType));
}

// Only the types a text of the query must be turned into; all others stay text for the schema to judge.
function coercionOf(tool: Tool): Coercion {
  const { properties = {} } = toJsonSchema(tool.input, 'input') as {
    properties?: Record<string, { type?: unknown }>;
  };
  return new Map(Object.entries(properties).map(([name, { type }]) => [name, String(type)]));
}

/**
 * A page of another site can put fields into the query of a plain POST, and addresses end up in the logs of proxies.
 * @throws Fault validation_failed.query
 */
function refuseQuery({ rest }: RestTool, { method, query }: Request, coercion: Coercion): void {
  const names = Object.keys(query).filter((name) => !rest.ignoresUnknownFields || coercion.has(name));
  const errors = names.map((field) => {
    const params = { field, method };
    return { loc: ['query', field], key: 'validation_failed.query' as const, params };
  });
  const [first] = errors;
  if (first) throw new Fault(first.key, first.params, { errors });
}

async function parseBody(read: RequestHandler, req: Request, res: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    read(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
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
  const path = Object.entries(req.params).map(
    ([name, value]) =>
      [name, coerce(Array.isArray(value) ? value.join('/') : value, coercion.get(name))] as const,
  );
  for (const [name, value] of path) {
    const other = body?.[name] ?? coerce(req.query[name], coercion.get(name));
    if (other !== undefined && other !== value)
      throw new Fault('validation_failed.path_field', { field: name });
    sources.set(name, 'path');
  }
  return { raw: { ...Object.fromEntries(query), ...body, ...Object.fromEntries(path) }, sources };
}

function coerce(value: unknown, type: string | undefined): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if ((type === 'integer' || type === 'number') && value.trim() !== '' && Number.isFinite(Number(value))) {
    return Number(value);
  }
  return value;
}

/** The call of a request, with the caller and the connection it has. */
export function openCall(
  req: Request,
  res: Response,
  sources: ReadonlyMap<string, Source>,
  { app, caller, log, language, voice, publicUrl }: FacadeParts & Pick<Call, 'caller'>,
): Call {
  const gone = new AbortController();
  // It may have gone while its body was read: that is not told again.
  if (res.destroyed) gone.abort();
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
    ...readerOf(req, { language, voice }),
    progress: () => {},
    text: () => {},
    baseUrl: baseUrlOf(req, publicUrl),
    deliver: deliverByLink(app, caller, baseUrlOf(req, publicUrl)),
    limited: (state) => setRateLimitHeaders(res, state),
    sourceOf: (field) => sources.get(field) ?? missing,
    ...preconditions(req, caller),
  };
}

function preconditions(req: Request, { visitor }: Caller): Pick<Call, 'idempotencyKey' | 'ifMatch'> {
  const key = req.get('idempotency-key');
  if (key !== undefined && (key === '' || key.length > 255))
    throw new Fault('validation_failed.idempotency_key');
  const ifMatch = req.get('if-match')?.trim();
  return {
    // Visitors share an account, and are not to get each other's answers.
    ...(key !== undefined && { idempotencyKey: visitor ? `${visitor} ${key}` : key }),
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
