import { Refusal } from './refusal.ts';

/** An answer as it goes back. */
export type Answer = { readonly status: number; readonly body: object };

type Kept = { readonly request: string; answer: Answer | 'running' };

/** Stripe's rule: a key's first answer is its answer, for the same request only. */
export function createIdempotency() {
  const kept = new Map<string, Kept>();
  return {
    /** The first answer, or nothing where this request is the first. @throws Refusal 400 for another request, 409 while the first runs. */
    begin(key: string, request: string): Answer | undefined {
      if (key.length > 255) throw mismatch('Idempotency keys must be 255 characters or less.', 400);
      const first = kept.get(key);
      if (!first) {
        kept.set(key, { request, answer: 'running' });
        return undefined;
      }
      if (first.request !== request) {
        throw mismatch(
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
          400,
        );
      }
      if (first.answer === 'running') {
        throw mismatch(
          `There is currently another in-progress request using this Idempotent Key: ${key}.`,
          409,
        );
      }
      return first.answer;
    },
    /** What was refused before anything was done is forgotten, so that the same key may try again. */
    end(key: string, answer: Answer | undefined): void {
      const first = kept.get(key);
      if (!first) return;
      if (answer) first.answer = answer;
      else kept.delete(key);
    },
  };
}

function mismatch(message: string, status: number): Refusal {
  return new Refusal(status, {
    type: 'idempotency_error',
    message,
    ...(status === 409 && { code: 'idempotency_key_in_use' }),
  });
}
