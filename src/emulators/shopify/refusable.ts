import type { Call } from './call.ts';
import { userError } from './user-error.ts';

type Mutation = (args: never, call: Call) => object;

const MESSAGES: Readonly<Record<string, string>> = {
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH:
    'The same idempotency key cannot be used with different operation parameters.',
  IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED:
    'A previous request with this idempotency key failed. Retry with a new idempotency key.',
  IDEMPOTENCY_CONCURRENT_REQUEST: 'This request is currently in progress, please try again.',
};

/** These mutations, which do nothing and answer an error where the call says that it is refused. */
export function refusable(mutations: Readonly<Record<string, Mutation>>): Readonly<Record<string, Mutation>> {
  return Object.fromEntries(
    Object.entries(mutations).map(([name, mutation]): [string, Mutation] => [
      name,
      (args, call) => (call.refusedAs === undefined ? mutation(args, call) : refusedAs(call.refusedAs)),
    ]),
  );
}

function refusedAs(code: string): object {
  return { userErrors: [userError(null, code, MESSAGES[code] ?? code)] };
}
