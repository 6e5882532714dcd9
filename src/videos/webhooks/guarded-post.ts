import { request } from 'node:https';
import { isIP } from 'node:net';
import { AssetRefused } from '../../platform/guarded-fetch/asset-refused.ts';
import { isPublicAddress } from '../../platform/guarded-fetch/public-address.ts';
import { type Address, type Lookup, resolveHost } from '../../platform/guarded-fetch/resolve-host.ts';
import { withTimeout } from '../../platform/with-timeout.ts';

export type GuardedPostSettings = {
  /** Whether this address and port may be connected to. Only tests need another rule than the strict one. */
  readonly isAllowed?: (address: string, port: number) => boolean;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly ca?: string;
  readonly lookup?: Lookup;
  /** Time for all of it, in milliseconds. */
  readonly maxMs?: number;
};

export type GuardedPost = (
  url: string,
  message: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
) => Promise<number>;

const MAX_MS = 10_000;

/**
 * Sends a text to an address that somebody else has chosen: over https, to the Internet only, without following where the
 * answer leads. The name is resolved once, and what was checked is what is connected to.
 * @returns a function that answers the status. It throws AssetRefused with the reason, or the signal's reason
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
      if (error instanceof AssetRefused) throw error;
      throw new AssetRefused(deadline.aborted ? 'too_slow' : 'unreachable', error);
    }
  };

  async function post(address: string, message: Parameters<GuardedPost>[1], ends: AbortSignal) {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:') throw new AssetRefused(url ? 'not_https' : 'address_unusable');
    if (url.username !== '' || url.password !== '') throw new AssetRefused('credentials');
    const addresses = await resolveHost(url.hostname, ends, settings.lookup);
    const port = Number(url.port || 443);
    // One private address among public ones is the mark of an attack, so it is not enough to leave it out.
    if (!addresses.every((one) => isAllowed(one.address, port))) throw new AssetRefused('not_public');
    return send(url, { ...message, addresses, ca: settings.ca, signal: ends });
  }
}

/** The strict rule: the Internet, on the port of https. */
function isPublicHttps(address: string, port: number): boolean {
  return port === 443 && isPublicAddress(address);
}

type Sending = Parameters<GuardedPost>[1] & {
  readonly addresses: readonly Address[];
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
};

/** What the answer says beside its status is not read. */
function send(url: URL, { body, headers, addresses, ca, signal }: Sending): Promise<number> {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return new Promise((resolve, reject) => {
    const sent = request({
      method: 'POST',
      host,
      port: url.port || 443,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
      servername: isIP(host) ? '' : host,
      agent: false,
      signal,
      ...(ca !== undefined && { ca }),
      lookup: (_host, { all }: { all?: boolean | undefined }, answer: LookupAnswer) => {
        const [first] = addresses;
        if (all || !first) answer(null, [...addresses]);
        else answer(null, first.address, first.family);
      },
    });
    sent
      .once('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      })
      .once('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new AssetRefused('bad_answer'));
      })
      .once('close', () => reject(new Error('closed without an answer')))
      // Also after the answer has come: an error nobody listens to would end the process.
      .on('error', reject)
      .end(body);
  });
}

type LookupAnswer = (error: null, address: string | Address[], family?: number) => void;
