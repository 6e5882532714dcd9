import { withTimeout } from '../with-timeout.ts';
import { AssetBlocked } from './asset-blocked.ts';
import { requestPinned } from './pinned-request.ts';
import { isPublicHttps, type Lookup, resolveHost } from './resolve-host.ts';

export type GuardedPostSettings = {
  /** Whether this address and port may be connected to. Only tests replace the strict rule. */
  readonly isAllowed?: (address: string, port: number) => boolean;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly ca?: string;
  readonly lookup?: Lookup;
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
 * Posts a text to an address chosen by a user: over HTTPS, to public addresses only, without following redirects. The
 * name is resolved once, and the checked addresses are the ones connected to.
 * @returns a function that returns the status. It throws AssetBlocked with the reason, or the signal's reason
 */
export function createGuardedPost(settings: GuardedPostSettings = {}): GuardedPost {
  const { isAllowed = isPublicHttps, maxMs = MAX_MS } = settings;

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
    const url = URL.parse(address);
    if (url?.protocol !== 'https:') throw new AssetBlocked(url ? 'not_https' : 'address_unusable');
    if (url.username !== '' || url.password !== '') throw new AssetBlocked('credentials');
    const addresses = await resolveHost(url.hostname, ends, settings.lookup);
    const port = Number(url.port || 443);
    // One private address among public ones is the mark of an attack, so the whole host is blocked.
    if (!addresses.every((one) => isAllowed(one.address, port))) throw new AssetBlocked('not_public');
    const response = await requestPinned(url, { ...message, addresses, ca: settings.ca, signal: ends });
    // The body is not read.
    response.destroy();
    return response.statusCode ?? 0;
  }
}
