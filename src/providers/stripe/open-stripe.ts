import type { Stripe } from 'stripe';

export type StripeSettings = {
  readonly secretKey: string;
  /** Another server than Stripe's. */
  readonly baseUrl?: string | undefined;
  /** Another way to reach it than the network. */
  readonly fetch?: typeof fetch;
};

const ATTEMPT_MS = 8_000;

/** Stripe's own client. It retries what is safe to, twice. */
export async function openStripe({ secretKey, baseUrl, fetch }: StripeSettings): Promise<Stripe> {
  const { Stripe } = await import('stripe');
  return new Stripe(secretKey, {
    ...(baseUrl && addressOf(new URL(baseUrl))),
    ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
    maxNetworkRetries: 2,
    timeout: ATTEMPT_MS,
    telemetry: false,
  });
}

function addressOf({ hostname, port, protocol }: URL) {
  const isHttps = protocol === 'https:';
  const usual = isHttps ? '443' : '80';
  return { host: hostname, port: port || usual, protocol: isHttps ? ('https' as const) : ('http' as const) };
}
