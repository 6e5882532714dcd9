import { z } from 'zod';
import { Fault } from '../../errors.ts';

/**
 * `busy`: the minute's quota is used up. `lost`: no answer, or none that says anything; what was asked may have happened.
 * `forbidden`: the account of the token may not do it. `disabled`: the API is off in the Google Cloud project of the token.
 * `protected`: some cell is. `refused`: it will never be answered otherwise.
 */
type FaultKind =
  | 'busy'
  | 'lost'
  | 'unauthorized'
  | 'unscoped'
  | 'forbidden'
  | 'disabled'
  | 'missing'
  | 'protected'
  | 'refused';

/** What one request came to, if not to an answer. Holds nothing of the request, which has a token in it. */
export class SheetsApiFault extends Error {
  readonly kind: FaultKind;
  readonly status: number | undefined;
  /** Whether it was to change the spreadsheet. */
  isWrite = false;

  constructor(kind: FaultKind, reason: string, status?: number) {
    super(reason);
    this.name = 'SheetsApiFault';
    this.kind = kind;
    this.status = status;
  }
}

export function isRefused(error: unknown): boolean {
  return error instanceof SheetsApiFault && (error.kind === 'refused' || error.kind === 'protected');
}

export function isProtected(error: unknown): boolean {
  return error instanceof SheetsApiFault && error.kind === 'protected';
}

const Reasons = z
  .array(z.object({ reason: z.string().optional() }))
  .default([])
  .catch([])
  .transform((errors) => errors.flatMap(({ reason }) => reason ?? []));

/** The API says `{error: {message, status, errors, details}}`, the token endpoint `{error, error_description}`. */
const ErrorAnswer = z.union([
  z
    .object({
      error: z.object({
        message: z.string(),
        status: z.string().default('').catch(''),
        errors: Reasons,
        details: Reasons,
      }),
    })
    .transform(({ error: { message, status, errors, details } }) => ({
      message,
      codes: [status, ...errors, ...details],
    })),
  z
    .object({ error: z.string(), error_description: z.string().optional() })
    .transform(({ error, error_description: description }) => ({
      message: description ? `${error}: ${description}` : error,
      codes: [],
    })),
]);

type Answered = z.output<typeof ErrorAnswer>;

const MOST_CHARS = 300;

/** What an answer that is no success means. */
export function apiFaultOf(status: number, text: string): SheetsApiFault {
  const answered = answeredIn(text);
  const reason = answered?.message.slice(0, MOST_CHARS) ?? `HTTP ${status}`;
  return new SheetsApiFault(kindOf(status, answered), reason, status);
}

/** The same for a caller. */
export function sheetsFault({ kind, message, isWrite }: SheetsApiFault, spreadsheet: string): Fault {
  switch (kind) {
    case 'busy':
    case 'lost':
      return new Fault('sheet_unavailable.no_answer');
    case 'unauthorized':
      return new Fault('sheet_unauthorized.token');
    case 'unscoped':
      return new Fault('sheet_unauthorized.scopes');
    case 'forbidden':
      return new Fault(isWrite ? 'sheet_forbidden.viewer' : 'sheet_forbidden.not_shared', { spreadsheet });
    case 'disabled':
      return new Fault('sheet_forbidden.api_disabled');
    case 'protected':
      return new Fault('sheet_refused.protected', { spreadsheet });
    case 'missing':
      return new Fault('sheet_not_found.spreadsheet', { spreadsheet });
    case 'refused':
      return new Fault('sheet_refused.request', { reason: message });
  }
}

function kindOf(status: number, answered: Answered | undefined): FaultKind {
  if (status === 401) return 'unauthorized';
  if (status === 403) return forbiddenAs(answered);
  if (status === 400 && /protected (?:cell|range|sheet)/i.test(answered?.message ?? '')) return 'protected';
  if (status === 404) return 'missing';
  if (status === 429) return 'busy';
  // A way to another place is no answer: the token would go along.
  return status < 400 || status === 408 || status >= 500 ? 'lost' : 'refused';
}

/**
 * By https://cloud.google.com/apis/design/errors and, for `errors`, the codes of Google's older APIs: which of them an
 * answer has depends on the part of the service that refuses.
 */
const BUSY_CODES =
  /^(?:RESOURCE_EXHAUSTED|RATE_LIMIT_EXCEEDED|(?:user)?rateLimitExceeded|quotaExceeded|dailyLimitExceeded)$/i;
const DISABLED_CODES = /^(?:SERVICE_DISABLED|accessNotConfigured)$/;
const UNSCOPED_CODES = /^(?:ACCESS_TOKEN_SCOPE_INSUFFICIENT|insufficientPermissions|insufficientScopes)$/;

function forbiddenAs(answered: Answered | undefined): FaultKind {
  const has = (codes: RegExp) => answered?.codes.some((code) => codes.test(code));
  if (has(BUSY_CODES)) return 'busy';
  if (has(DISABLED_CODES)) return 'disabled';
  return has(UNSCOPED_CODES) ? 'unscoped' : 'forbidden';
}

function answeredIn(text: string): Answered | undefined {
  try {
    return ErrorAnswer.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
