import { z } from 'zod';
import type { ModelFailure } from '../ai/model.ts';
import { EndlessAnswer, NotAnApi } from './api-fetch.ts';

/** The common fields of both SDKs' errors; each is optional. */
const SdkError = z.object({
  status: z.number().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  requestID: z.string().optional().catch(undefined),
  // Bounds the work of the patterns below; providers' messages are short.
  message: z
    .string()
    .transform((text) => text.slice(0, 2000))
    .catch(''),
  headers: z.instanceof(Headers).optional().catch(undefined),
  cause: z.unknown().optional(),
});

type SdkError = z.output<typeof SdkError>;

/** Classifies an SDK's error. `secret` is redacted from what is logged. */
export function readSdkError(error: unknown, secret: string | undefined): ModelFailure {
  const read = SdkError.parse(error);
  const is = ownKind(error) ?? ownKind(read.cause) ?? kindOf(read);
  return {
    is,
    about: aboutOf(read, secret),
    retryAfterMs: retryAfterMs(read.headers),
    unbilled: isUnbilled(read),
  };
}

/** The SDKs rethrow our fetch's errors, sometimes as the cause of their own. */
function ownKind(error: unknown): ModelFailure['is'] | undefined {
  if (error instanceof NotAnApi) return 'address';
  return error instanceof EndlessAnswer ? 'endless' : undefined;
}

/** Whether the server rejects this field of the request, not only its value. */
export function refusesField(error: unknown, field: string): boolean {
  const { status, message } = SdkError.parse(error);
  // A whole word, so that `stream` is not found in `stream_options`.
  const isNamed = new RegExp(`\\b${field}(ing)?\\b`, 'i').test(message);
  return (status === 400 || status === 422) && isNamed && !WORDS.tooLarge.test(message);
}

// Compatible servers share the official statuses but not the codes, so messages are matched too.
const WORDS = {
  billing: /credit balance|insufficient.{0,10}(credit|quota|balance|funds)|exceeded your current quota/i,
  unknownModel:
    /model.{0,200}(not found|does not exist|not a valid|unknown)|(not found|unknown|invalid|not a valid).{0,40}model/is,
  refused: /content.?(policy|filter|management)|usage polic|safety system|moderation/i,
  tooLarge: /too (large|big|high)|at most|exceed|maximum|less than/i,
  tooLong: /context.{0,10}(length|window)|prompt is too long|too many tokens|maximum context/i,
  form: /response_?format|json_?schema|json_object|output_(config|format)|structured.?output|grammar/i,
};

// A map, because a server may send any word as a code, even `constructor`.
const CODES = new Map<string | undefined, ModelFailure['is']>(
  Object.entries({
    insufficient_quota: 'billing',
    billing_error: 'billing',
    model_not_found: 'unknown_model',
    content_policy_violation: 'refused',
    content_filter: 'refused',
    context_length_exceeded: 'too_long',
    request_too_large: 'too_long',
    authentication_error: 'auth',
    permission_error: 'auth',
    rate_limit_error: 'rate_limited',
    rate_limit_exceeded: 'rate_limited',
    overloaded_error: 'down',
  } as const),
);

const STATUSES: Readonly<Record<number, ModelFailure['is']>> = {
  401: 'auth',
  402: 'billing',
  403: 'auth',
  408: 'down',
  409: 'down',
  413: 'too_long',
  429: 'rate_limited',
};

function kindOf({ status, code, type, message }: SdkError): ModelFailure['is'] {
  const named = CODES.get(code) ?? CODES.get(type);
  if (named) return named;
  if (status === undefined || status >= 500) return 'down';
  if (status === 429 && WORDS.billing.test(message)) return 'billing';
  const known = STATUSES[status];
  if (known) return known;
  // Only the message identifies an unknown model in Anthropic's 404.
  if (status === 404) return /model/i.test(message) ? 'unknown_model' : 'address';
  return kindOfRefusal(message);
}

/** The meaning of a 400 or 422. */
function kindOfRefusal(message: string): ModelFailure['is'] {
  if (WORDS.billing.test(message)) return 'billing';
  if (WORDS.form.test(message)) return 'form';
  if (WORDS.tooLong.test(message)) return 'too_long';
  if (WORDS.refused.test(message)) return 'refused';
  return WORDS.unknownModel.test(message) ? 'unknown_model' : 'request';
}

/** Someone in between gave up; the provider may have written the answer. */
const GIVEN_UP = [408, 499, 504, 524];
const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** An error instead of an answer, or no connection. An error within a stream has no status. */
function isUnbilled({ status, cause }: SdkError): boolean {
  if (status !== undefined) return status >= 400 && !GIVEN_UP.includes(status);
  return NOT_REACHED.includes(systemCodeOf(cause) ?? '');
}

function systemCodeOf(cause: unknown): string | undefined {
  return z.object({ code: z.string() }).safeParse(cause).data?.code;
}

/** Status, code and request id. Redacts the key, in case the server echoes it. */
function aboutOf({ status, code, type, requestID, cause }: SdkError, secret: string | undefined): string {
  const system = systemCodeOf(cause);
  const parts = [status, code ?? type ?? system, requestID]
    .map(String)
    .filter((part) => part !== 'undefined' && /^[\w.-]{1,80}$/.test(part));
  const text = `the provider failed: ${parts.join(' ') || 'no status'}`;
  return secret ? text.replaceAll(secret, '[key]') : text;
}

/** A longer wait means that the server's clock is wrong. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** Milliseconds to wait by `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get('retry-after-ms');
  const seconds = headers?.get('retry-after');
  const given = milliseconds ? Number(milliseconds) : Number(seconds || Number.NaN) * 1000;
  const wait = Number.isNaN(given) && seconds ? Date.parse(seconds) - Date.now() : given;
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), MAX_RETRY_AFTER_MS) : undefined;
}
