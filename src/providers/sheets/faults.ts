import { z } from 'zod';
import { Fault } from '../../errors.ts';

/**
 * `busy`: the minute's quota is used up. `lost`: no answer, or none that says anything; what was asked may have happened.
 * `refused`: it will never be answered otherwise.
 */
type FaultKind = 'busy' | 'lost' | 'unauthorized' | 'missing' | 'refused';

/** What one request came to, if not to an answer. Holds nothing of the request, which has a token in it. */
export class SheetsApiFault extends Error {
  readonly kind: FaultKind;
  readonly status: number | undefined;

  constructor(kind: FaultKind, reason: string, status?: number) {
    super(reason);
    this.name = 'SheetsApiFault';
    this.kind = kind;
    this.status = status;
  }
}

export function isRefused(error: unknown): boolean {
  return error instanceof SheetsApiFault && error.kind === 'refused';
}

/** The API says `{error: {message}}`, the token endpoint `{error, error_description}`. */
const ErrorAnswer = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z
    .object({ error: z.string(), error_description: z.string().optional() })
    .transform(({ error, error_description: description }) =>
      description ? `${error}: ${description}` : error,
    ),
]);

const MOST_CHARS = 300;

/** What an answer that is no success means. */
export function apiFaultOf(status: number, text: string): SheetsApiFault {
  const reason = reasonIn(text)?.slice(0, MOST_CHARS) ?? `HTTP ${status}`;
  return new SheetsApiFault(kindOf(status), reason, status);
}

/** The same for a caller. */
export function sheetsFault({ kind, message }: SheetsApiFault, spreadsheet: string): Fault {
  switch (kind) {
    case 'busy':
    case 'lost':
      return new Fault('sheet_unavailable.no_answer');
    case 'unauthorized':
      return new Fault('sheet_unauthorized.token');
    case 'missing':
      return new Fault('sheet_not_found.spreadsheet', { spreadsheet });
    case 'refused':
      return new Fault('sheet_refused.request', { reason: message });
  }
}

function kindOf(status: number): FaultKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'missing';
  if (status === 429) return 'busy';
  // A way to another place is no answer: the token would go along.
  return status < 400 || status === 408 || status >= 500 ? 'lost' : 'refused';
}

function reasonIn(text: string): string | undefined {
  try {
    return ErrorAnswer.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
