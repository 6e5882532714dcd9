import { z } from 'zod';

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
};

/** An error as the service answers it. */
export class Refusal extends Error {
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.details = details;
  }

  get body(): unknown {
    const { status: code, message, details } = this;
    return { error: { code, message, status: STATUS_NAMES[code] ?? 'INTERNAL', ...details } };
  }
}

/** The quota of a project, as some parts of the service word it: with 403 in place of 429. */
export const rateLimited = () =>
  new Refusal(403, 'User Rate Limit Exceeded. Rate of requests for user exceed configured project quota.', {
    errors: [{ domain: 'usageLimits', reason: 'userRateLimitExceeded', message: 'User Rate Limit Exceeded' }],
  });

export const apiDisabled = () =>
  new Refusal(
    403,
    'Google Sheets API has not been used in project 1234567890 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/sheets.googleapis.com/overview?project=1234567890 then retry.',
    {
      errors: [{ domain: 'usageLimits', reason: 'accessNotConfigured' }],
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'SERVICE_DISABLED',
          domain: 'googleapis.com',
          metadata: { consumer: 'projects/1234567890', service: 'sheets.googleapis.com' },
        },
      ],
    },
  );

export const protectedCell = () =>
  new Refusal(
    400,
    'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
  );

export const invalid = (message: string) => new Refusal(400, message);

/**
 * What goes wrong with one call: lost before it happened or after, refused for protected cells or for the quota (429, or
 * `rate_403`), a gateway's error, an answer that
 * takes `slow` milliseconds of the emulator's clock, or one that never comes.
 */
export type EmulatedFault =
  | 'drop_before'
  | 'drop_after'
  | 400
  | 429
  | 'rate_403'
  | 500
  | 502
  | 503
  | 'hang'
  | { readonly slow: number };

/** `on`: only where method, path or body have this text in them; it waits for such a call. */
export type PlannedFault = { readonly trouble: EmulatedFault; readonly on?: string };

const RANDOM: readonly EmulatedFault[] = ['drop_before', 'drop_after', 429, 502, 503];

/** Troubles that were asked for, in their order, then by chance: `rate` of the calls, the same ones for the same `seed`. */
export function createFaultPlan({ rate = 0, seed = 1 }: { readonly rate?: number; readonly seed?: number }) {
  const planned: PlannedFault[] = [];
  const random = randomOf(seed);

  return {
    plan: (...troubles: readonly (EmulatedFault | PlannedFault)[]) => {
      planned.push(
        ...troubles.map((one) => (typeof one === 'object' && 'trouble' in one ? one : { trouble: one })),
      );
    },
    waiting: () => planned.length,
    next: (call: string): EmulatedFault | undefined => {
      const index = planned.findIndex(({ on }) => on === undefined || call.includes(on));
      if (index !== -1) return planned.splice(index, 1)[0]?.trouble;
      if (rate === 0 || random() >= rate) return undefined;
      return RANDOM[Math.floor(random() * RANDOM.length)];
    },
  };
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A part of a request as its schema reads it. @throws Refusal 400 */
export function parseBody<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value ?? (schema instanceof z.ZodObject ? {} : undefined));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`Invalid value at '${issue?.path.join('.')}': ${issue?.message}`);
}
