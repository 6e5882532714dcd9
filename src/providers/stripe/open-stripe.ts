import type { Stripe } from 'stripe';
import { z } from 'zod';
import { Fault } from '../../errors.ts';

export type StripeSettings = {
  readonly secretKey: string;
  /** Server to use instead of Stripe. */
  readonly baseUrl?: string | undefined;
  /** Replaces the network, for tests. */
  readonly fetch?: typeof fetch;
};

const ATTEMPT_TIMEOUT_MS = 8_000;

/** Opens Stripe's SDK, which retries safe requests twice. */
export async function openStripe({ secretKey, baseUrl, fetch }: StripeSettings): Promise<Stripe> {
  const { Stripe } = await import('stripe');
  return new Stripe(secretKey, {
    ...(baseUrl && addressOf(new URL(baseUrl))),
    ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
    maxNetworkRetries: 2,
    timeout: ATTEMPT_TIMEOUT_MS,
    telemetry: false,
  });
}

function addressOf({ hostname, port, protocol }: URL) {
  const isHttps = protocol === 'https:';
  const usual = isHttps ? '443' : '80';
  return { host: hostname, port: port || usual, protocol: isHttps ? ('https' as const) : ('http' as const) };
}

const SdkError = z.object({
  type: z.string().catch('no type'),
  code: z.string().optional().catch(undefined),
  param: z.string().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  requestId: z.string().optional().catch(undefined),
});

/**
 * The fault for an SDK error. Its cause has type, code and request id, never Stripe's message, which may quote the key. A
 * rejected key is the operator's problem, so it is no 401.
 */
export function stripeFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const { type, code, param, statusCode, requestId } = SdkError.catch({ type: 'no type' }).parse(error);
  if (code === 'resource_missing' && param === 'starting_after') return new Fault('validation_failed.cursor');
  const about = [type, code, param, statusCode, requestId].filter((part) => part !== undefined);
  return new Fault(
    'upstream_failed.stripe',
    {},
    {
      cause: new Error(`stripe failed: ${about.join(' ')}`),
      ...(statusCode === 429 && { retryAfterSeconds: 2 }),
    },
  );
}

/** Whether Stripe takes the address for none, although it is one here. */
export function isRefusedEmail(error: unknown): boolean {
  return z.object({ code: z.literal('email_invalid') }).safeParse(error).success;
}

/** Whether Stripe reports a missing object. */
export function isMissing(error: unknown): boolean {
  return z.object({ code: z.literal('resource_missing') }).safeParse(error).success;
}
