import { GraphQLError } from 'graphql';
import type { Call } from './access.ts';

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

/** A refusal of the whole request, as the service words it: it stands in `errors`, not in `userErrors`. */
export function refusal(
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...details } });
}

/** The arrays of an input are limited. @throws GraphQLError MAX_INPUT_SIZE_EXCEEDED */
export function refuseLong(list: readonly unknown[], most: number): void {
  if (list.length <= most) return;
  throw refusal(
    'MAX_INPUT_SIZE_EXCEEDED',
    `The input array size of ${list.length} is greater than the maximum allowed of ${most}.`,
  );
}

/** @throws GraphQLError where the text is no global id, or one of another kind. */
export function refuseForeignId(id: string, kind: string): void {
  if (id.startsWith(`gid://shopify/${kind}/`)) return;
  throw refusal('INVALID_VARIABLE', `Invalid global id '${id}'`);
}

const KINDS = ['drop_before', 'drop_after', 'rate_limited', 'bad_gateway', 'throttled'] as const;

/**
 * What goes wrong with one request: the connection ends before anything was done, or after it; 429; 502 with a page;
 * THROTTLED in a 200; an answer of one's own; an answer that takes a while; a refusal of a mutation with one code.
 */
export type ShopFault =
  | (typeof KINDS)[number]
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly slow: number }
  | { readonly userError: string };

type FaultedRequest = { readonly path: string; readonly operation: string | undefined };

/** A function is asked of each request in turn, until it answers a fault. */
export type FaultRule = ShopFault | ((request: FaultedRequest) => ShopFault | undefined);

/** How many of all requests have a fault, from 0 to 1. The same seed makes the same ones. */
export type FaultRate = {
  readonly rate: number;
  readonly seed: number;
  readonly kinds?: readonly ShopFault[];
};

/** The faults of the requests to come: those of the queue first, one each, then those of the rate. */
export function createFaults(rate?: FaultRate) {
  const queue: FaultRule[] = [];
  const random = randomFrom(rate?.seed ?? 0);

  function queued(request: FaultedRequest): ShopFault | undefined {
    const [rule] = queue;
    if (rule === undefined) return undefined;
    const fault = typeof rule === 'function' ? rule(request) : rule;
    if (fault !== undefined) queue.shift();
    return fault;
  }

  function drawn(): ShopFault | undefined {
    if (!rate || random() >= rate.rate) return undefined;
    const kinds = rate.kinds ?? KINDS;
    return kinds[Math.floor(random() * kinds.length)];
  }

  return { queue, next: (request: FaultedRequest) => queued(request) ?? drawn() };
}

/** What is answered in the place of the shop; undefined where the fault is of another kind. */
export function faultAnswer(fault: ShopFault | undefined, isGraphql: boolean): Response | undefined {
  if (fault === 'rate_limited' || (fault === 'throttled' && !isGraphql)) {
    const headers = { 'content-type': 'application/json', 'retry-after': '2.0' };
    return new Response('{"errors":"Exceeded 2 calls per second for api client."}', { status: 429, headers });
  }
  if (fault === 'bad_gateway') {
    const headers = { 'content-type': 'text/html' };
    return new Response('<html><body><h1>502 Bad Gateway</h1></body></html>', { status: 502, headers });
  }
  if (typeof fault !== 'object' || !('status' in fault)) return undefined;
  const { status, body = '', headers = {} } = fault;
  return new Response(body, { status, headers });
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A user error in a mutation's response; the rest of the mutation is applied. `field` is the path into the arguments. */
export type UserError = {
  readonly field: readonly string[] | null;
  readonly code: string | null;
  readonly message: string;
};

export function userError(field: readonly string[] | null, code: string | null, message: string): UserError {
  return { field, code, message };
}
