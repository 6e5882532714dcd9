import type { Request } from 'express';
import type { Fault, FaultKey } from '../../src/errors.ts';
import { localizeFault, type Reader } from '../../src/language.ts';

type Place = readonly (string | number)[];

/** What the document of the video service answers with 422. */
type ValidationError = {
  readonly loc: Place;
  readonly msg: string;
  readonly type: string;
  /** What was sent there, where that is a short value. */
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
};

/** The two schemas, by the names they have there. */
export const VALIDATION_SCHEMAS = {
  HTTPValidationError: {
    type: 'object',
    title: 'HTTPValidationError',
    properties: {
      detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } },
    },
  },
  ValidationError: {
    type: 'object',
    title: 'ValidationError',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      msg: { type: 'string' },
      type: { type: 'string' },
      input: {},
      ctx: { type: 'object' },
    },
  },
} as const;

const RESPONSE = {
  description: 'Validation Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } },
} as const;

/** What OpenAPI says of a path that answers so, by status. */
export function validationResponses(path: string): { readonly 422?: typeof RESPONSE } {
  return isOfVideos(path) ? { 422: RESPONSE } : {};
}

/** What is wrong with a request to the video service; undefined for another service, and for other faults. */
export function validationErrors(
  fault: Fault,
  reader: Reader,
  req: Request,
): { readonly detail: readonly ValidationError[] } | undefined {
  // The document knows one status for a body that does not fit, whether or not it is JSON.
  const isDocumented = fault.status === 422 || fault.code === 'invalid_json';
  if (!isDocumented || !isOfVideos(req.path)) return undefined;
  const { detail, errors } = localizeFault(fault, reader);
  if (errors.length === 0)
    return { detail: [{ loc: placeOf(fault.key, req), msg: detail, type: fault.key }] };
  return { detail: errors.map((error) => errorOf(error, req)) };
}

function isOfVideos(path: string): boolean {
  return /^\/videos(\/|$)/.test(path);
}

const PLACES: Partial<Record<FaultKey, Place>> = {
  'validation_failed.path': ['path'],
  'validation_failed.cursor': ['query', 'cursor'],
  'validation_failed.idempotency_key': ['header', 'idempotency-key'],
  'idempotency_mismatch.key': ['header', 'idempotency-key'],
};

/** Where a fault is that names no place itself. */
function placeOf(key: FaultKey, { method }: Request): Place {
  return PLACES[key] ?? [method === 'POST' ? 'body' : 'query'];
}

type Said = ReturnType<typeof localizeFault>['errors'][number];

function errorOf({ loc, msg, type, line, col }: Said, req: Request): ValidationError {
  const input = inputAt(loc, req);
  const ctx = { ...(line !== undefined && { line }), ...(col !== undefined && { col }) };
  return {
    loc,
    msg,
    type,
    ...(input !== undefined && { input }),
    ...(Object.keys(ctx).length > 0 && { ctx }),
  };
}

const LONGEST_INPUT = 100;

function inputAt([source, ...path]: Place, { body, query }: Request): unknown {
  const root: unknown = source === 'body' ? body : source === 'query' ? query : undefined;
  const value = path.reduce<unknown>(memberOf, root);
  if (typeof value === 'string') return value.length > LONGEST_INPUT ? undefined : value;
  return typeof value === 'object' ? undefined : value;
}

function memberOf(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
