import type { AdminApiClient } from '@shopify/admin-api-client';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { ThrottleStatus } from '../../sync/ports/throttles.ts';

const REASON_CHARS = 500;

/** The faults of a store. What they quote of its answers has been rid of the token where it was read: see shop-fetch.ts. */
export function unauthorized(domain: string): Fault {
  return new Fault('store_unauthorized.token', { domain });
}

export function unscoped(domain: string, scopes: readonly string[]): Fault {
  return new Fault('store_unauthorized.scopes', { domain, scopes: scopes.join(', ') });
}

export function frozen(domain: string): Fault {
  return new Fault('store_frozen.plan', { domain });
}

export function missing(domain: string): Fault {
  return new Fault('store_not_found.domain', { domain });
}

export function noLocation(domain: string, location: string): Fault {
  return new Fault('store_not_found.location', { domain, location });
}

export function refused(domain: string, reason: string): Fault {
  return new Fault('store_refused.request', { domain, reason: reason.slice(0, REASON_CHARS) });
}

/** `about` is for the log: what the store did instead of answering. */
export function unavailable(domain: string, about: string): Fault {
  return new Fault('store_unavailable.no_answer', { domain }, { cause: new Error(`the store: ${about}`) });
}

/** What a mutation refused, and where in its input. */
export const UserErrors = z.array(
  z.object({
    field: z.array(z.string()).nullish(),
    message: z.string(),
    code: z.string().nullish(),
  }),
);

export type UserError = z.output<typeof UserErrors>[number];

/** The place in a list of the input that an error is about: 3 of `['variants', '3', 'price']`. */
export function indexAfter(list: string, field: UserError['field']): number | undefined {
  const index = field?.[field.indexOf(list) + 1];
  return field?.includes(list) && index !== undefined && /^\d+$/.test(index) ? Number(index) : undefined;
}

type Reply = Awaited<ReturnType<AdminApiClient['request']>>;

/** What an answer of the Admin API means for us. */
export type Verdict =
  | { readonly is: 'answer'; readonly data: unknown }
  /** The points do not suffice now. It comes with HTTP 200. */
  | { readonly is: 'throttled' }
  /** No number of points would ever suffice. */
  | { readonly is: 'too_costly' }
  | { readonly is: 'unauthorized' | 'forbidden' | 'frozen' | 'missing' }
  | { readonly is: 'refused'; readonly reason: string }
  | { readonly is: 'down'; readonly about: string; readonly waitMs?: number | undefined };

export type Cost = {
  readonly requested: number;
  readonly actual: number;
  readonly throttle: ThrottleStatus;
};

const GraphqlErrors = z
  .array(
    z.object({
      message: z.string().catch('no message'),
      extensions: z.object({ code: z.string() }).optional().catch(undefined),
    }),
  )
  .min(1);

/** By the codes of https://shopify.dev/docs/api/admin-graphql#status-and-error-codes. */
export async function readReply({ data, errors }: Reply): Promise<Verdict> {
  if (!errors) return { is: 'answer', data };
  const { networkStatusCode: status, response, message } = errors;
  if (status === undefined) return { is: 'down', about: message ?? 'no answer' };
  if (status !== 200) return byStatus(status, response);
  const said = GraphqlErrors.safeParse(errors.graphQLErrors);
  if (!said.success) return { is: 'down', about: 'HTTP 200 without an answer' };
  return byErrors(said.data);
}

async function byStatus(status: number, response: Response | undefined): Promise<Verdict> {
  if (status === 401) return { is: 'unauthorized' };
  if (status === 403) return { is: 'forbidden' };
  if (status === 402 || status === 423) return { is: 'frozen' };
  // A store that has moved, or none: no redirect is followed.
  if (status === 404 || (status >= 300 && status < 400)) return { is: 'missing' };
  if (status === 429) return { is: 'down', about: 'HTTP 429', waitMs: retryAfterMs(response?.headers) };
  if (status >= 500 || status === 408 || status < 300) return { is: 'down', about: `HTTP ${status}` };
  return { is: 'refused', reason: await reasonOf(status, response) };
}

/** In whole seconds, as Shopify gives it. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const seconds = Number(headers?.get('retry-after') || Number.NaN);
  return seconds >= 0 ? seconds * 1000 : undefined;
}

async function reasonOf(status: number, response: Response | undefined): Promise<string> {
  const body: unknown = await response?.json().catch(() => undefined);
  const said = z.object({ errors: z.string() }).safeParse(body);
  return said.success ? said.data.errors : `HTTP ${status}`;
}

function byErrors(errors: z.output<typeof GraphqlErrors>): Verdict {
  const codes = new Set(errors.map(({ extensions }) => extensions?.code));
  if (codes.has('THROTTLED')) return { is: 'throttled' };
  if (codes.has('MAX_COST_EXCEEDED')) return { is: 'too_costly' };
  if (codes.has('SHOP_INACTIVE')) return { is: 'frozen' };
  // The token lacks a scope: another has to be made, and renewing this one gives it none.
  if (codes.has('ACCESS_DENIED')) return { is: 'forbidden' };
  const reason = errors.map(({ message }) => message).join('; ');
  if (codes.has('INTERNAL_SERVER_ERROR') || codes.has('TIMEOUT')) return { is: 'down', about: reason };
  return { is: 'refused', reason };
}

const Extensions = z.object({
  cost: z.object({
    requestedQueryCost: z.number(),
    actualQueryCost: z.number().nullish(),
    throttleStatus: z.object({
      maximumAvailable: z.number(),
      currentlyAvailable: z.number(),
      restoreRate: z.number(),
    }),
  }),
});

/** What the answer cost; undefined where it does not say. A request that was throttled cost nothing. */
export function readCost({ extensions }: Reply): Cost | undefined {
  const said = Extensions.safeParse(extensions);
  if (!said.success) return undefined;
  const { requestedQueryCost, actualQueryCost, throttleStatus } = said.data.cost;
  return {
    requested: requestedQueryCost,
    actual: actualQueryCost ?? 0,
    throttle: {
      available: throttleStatus.currentlyAvailable,
      capacity: throttleStatus.maximumAvailable,
      restoreRate: throttleStatus.restoreRate,
    },
  };
}
