import { isIP } from 'node:net';
import { withTimeout } from '../with-timeout.ts';
import { AssetBlocked } from './asset-blocked.ts';
import { requestPinned } from './pinned-request.ts';
import { isPublicAddress, isPublicHttps, type Lookup, resolveHost } from './resolve-host.ts';

export type GuardedPostSettings = {
  /** Whether this address and port may be connected to. Only tests replace the strict rule. */
  readonly isAllowed?: (address: string, port: number) => boolean;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly ca?: string;
  readonly lookup?: Lookup;
  /** Also to this machine by name or address, over plain HTTP and on any port: for a developer's own server. */
  readonly loopback?: boolean;
  /** Total time limit, in milliseconds. */
  readonly maxMs?: number;
};

export type GuardedPost = (
  url: string,
  message: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
) => Promise<number>;

const MAX_MS = 10_000;

/**
 * Posts a text to an address chosen by a user: over HTTPS, to public addresses only (see `loopback`), without following
 * redirects. The name is resolved once, and the checked addresses are the ones connected to.
 * @returns a function that returns the status. It throws AssetBlocked with the reason, or the signal's reason
 */
export function createGuardedPost(settings: GuardedPostSettings = {}): GuardedPost {
  const { isAllowed = isPublicHttps, loopback = false, maxMs = MAX_MS } = settings;

  return async (address, message, signal) => {
    const deadline = AbortSignal.timeout(maxMs);
    const ends = AbortSignal.any([signal, deadline]);
    try {
      return await withTimeout(post(address, message, ends), { signal: ends });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof AssetBlocked) throw error;
      throw new AssetBlocked(deadline.aborted ? 'too_slow' : 'unreachable', error);
    }
  };

  async function post(address: string, message: Parameters<GuardedPost>[1], ends: AbortSignal) {
    const url = requirePostable(address, { loopback });
    const isLocal = loopback && isLoopback(url);
    const addresses = await resolveHost(url.hostname, ends, settings.lookup);
    const port = Number(url.port || 443);
    // One private address among public ones is the mark of an attack, so the whole host is blocked.
    const isPermitted = (one: string) => (isLocal ? isLoopbackAddress(one) : isAllowed(one, port));
    if (!addresses.every(({ address: one }) => isPermitted(one))) throw new AssetBlocked('not_public');
    const response = await requestPinned(url, { ...message, addresses, ca: settings.ca, signal: ends });
    // The body is not read.
    response.destroy();
    return response.statusCode ?? 0;
  }
}

/**
 * The URL, where it may be posted to as far as its text tells.
 * @throws AssetBlocked address_unusable, not_https, credentials, not_public
 */
export function requirePostable(address: string, { loopback }: { readonly loopback: boolean }): URL {
  const url = URL.parse(address);
  if (!url) throw new AssetBlocked('address_unusable');
  const isLocal = loopback && isLoopback(url);
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))
    throw new AssetBlocked('not_https');
  if (url.username !== '' || url.password !== '') throw new AssetBlocked('credentials');
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  // A name without a dot belongs to the local network, whatever it resolves to.
  const isInside = isIP(host) === 0 ? !host.includes('.') : !isPublicAddress(host);
  if (isInside && !isLocal) throw new AssetBlocked('not_public');
  return url;
}

function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function isLoopbackAddress(address: string): boolean {
  return address === '127.0.0.1' || address === '::1';
}
