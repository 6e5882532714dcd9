import type { EmulatedFault } from './peer.ts';
import { Refusal } from './refusal.ts';

/** What befalls the requests to come, each trouble for as many as it was ordered for. */
export function createFaultPlan() {
  const ordered: { trouble: EmulatedFault; left: number }[] = [];
  return {
    order(trouble: EmulatedFault): void {
      ordered.push({ trouble, left: trouble.next });
    },
    /** The trouble of this request, if there is one. */
    next(): EmulatedFault | undefined {
      const first = ordered[0];
      if (!first) return undefined;
      first.left -= 1;
      if (first.left <= 0) ordered.shift();
      return first.trouble;
    },
  };
}

/** The error of a status in Stripe's words. */
export function troubleAnswer(status: number): { status: number; body: object } {
  const known: Readonly<Record<number, Record<string, string> & { message: string }>> = {
    402: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
    409: {
      code: 'lock_timeout',
      message: 'This object cannot be accessed right now because another request is accessing it.',
    },
    429: { code: 'rate_limit', message: 'Request rate limit exceeded.' },
  };
  const refusal = new Refusal(
    status,
    known[status] ?? { type: 'api_error', message: 'An unknown error occurred.' },
  );
  return { status, body: { error: refusal.error } };
}
