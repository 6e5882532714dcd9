import { Fault } from '../errors.ts';

/** Where a purchase may send people back to. */
export type ReturnPlaces = {
  /** Address of the server as the caller reaches it. */
  readonly baseUrl: string;
  /** Origins allowed besides. */
  readonly origins: readonly string[];
};

/**
 * The address to come back to after paying, whole. A relative one is of this server.
 * @throws Fault validation_failed.return_url for a place that is not ours, which would make this server lead people astray
 */
export function returnAddress(field: string, text: string, { baseUrl, origins }: ReturnPlaces): URL {
  const base = new URL(baseUrl);
  const allowed = new Set([base.origin, ...origins.flatMap((origin) => URL.parse(origin)?.origin ?? [])]);
  const url = isPlain(text) ? URL.parse(text, base.href) : null;
  if (url && isWeb(url) && url.username === '' && url.password === '' && allowed.has(url.origin)) return url;
  const params = { field, allowed: [...allowed].join(', ') };
  const errors = [{ loc: ['body', field], key: 'validation_failed.return_url', params } as const];
  throw new Fault('validation_failed.return_url', params, { errors });
}

/**
 * Browsers and libraries disagree on backslashes, spaces and control characters in addresses, and on a scheme without
 * its slashes: none is let through.
 */
function isPlain(text: string): boolean {
  if (!/^[\x21-\x5b\x5d-\x7e\u00a1-\u{10ffff}]{1,2000}$/u.test(text)) return false;
  return /^https?:\/\/[^/]/i.test(text) || !/^(\/\/|[^/?#]*:)/.test(text);
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** Where people come back to from a page of payment, as they were asked for. */
export type PurchaseReturns = { readonly successUrl: string; readonly cancelUrl?: string | undefined };
export type PurchaseAddresses = { readonly successUrl: string; readonly cancelUrl: string };

/** Both addresses, whole; who turns back without paying comes to the same page unless another is named. */
export function purchaseAddresses(
  { successUrl, cancelUrl }: PurchaseReturns,
  places: ReturnPlaces,
): PurchaseAddresses {
  const success = returnAddress('success_url', successUrl, places);
  const cancel = cancelUrl === undefined ? undefined : returnAddress('cancel_url', cancelUrl, places);
  return { successUrl: successAddress(success), cancelUrl: cancel?.href ?? plainAddress(success) };
}

/** The address people return to when they have paid, which says so and by which session. */
export function successAddress(url: URL): string {
  const marked = new URL(url);
  marked.searchParams.delete('session_id');
  marked.searchParams.set('success', 'true');
  // The braces must stay as they are: the payment service looks for them.
  const mark = `${marked.search}&session_id={CHECKOUT_SESSION_ID}`;
  marked.search = '';
  const { hash } = marked;
  marked.hash = '';
  return `${marked.href}${mark}${hash}`;
}

/** The page itself, without the word that something was bought. */
function plainAddress(url: URL): string {
  const plain = new URL(url);
  plain.searchParams.delete('success');
  return plain.href;
}
