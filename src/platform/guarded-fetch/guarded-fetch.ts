import { isIP } from 'node:net';
import { withTimeout } from '../with-timeout.ts';
import { AssetRefused } from './asset-refused.ts';
import { type Answer, download } from './download.ts';
import { isPublicAddress } from './public-address.ts';
import { type Lookup, resolveHost } from './resolve-host.ts';
import { type AssetKind, sniff } from './sniff.ts';

export type Asset = { readonly bytes: Buffer; readonly mediaType: string };

export type FetchAsset = (
  url: string,
  options: { readonly kinds: readonly AssetKind[]; readonly signal: AbortSignal },
) => Promise<Asset>;

export type GuardedFetchSettings = {
  /** Hosts that may be asked, each with its subdomains; unset, all public ones. */
  readonly hosts?: readonly string[] | undefined;
  /** Whether this address and port may be connected to. Only tests need another rule than the strict one. */
  readonly isAllowed?: (address: string, port: number) => boolean;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly ca?: string;
  readonly lookup?: Lookup;
  /** Largest resource in bytes. */
  readonly maxBytes?: number;
  /** Time for one resource with all its redirects, in milliseconds. */
  readonly maxMs?: number;
  /** What the resources are for, as the servers asked are told. */
  readonly purpose?: string;
};

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_MS = 3000;
const MAX_REDIRECTS = 3;
const PURPOSE = 'images of email templates';

/**
 * Fetches images, fonts, style sheets and sounds that templates name. Whoever writes a template chooses the address, so it must
 * not reach what only this machine can: every address is checked after it was resolved, and exactly the checked ones are
 * connected to, again for every redirect. What comes back is judged by its bytes.
 */
export function createGuardedFetch(settings: GuardedFetchSettings = {}) {
  const { isAllowed = isPublicHttps, maxBytes = MAX_BYTES, maxMs = MAX_MS, purpose = PURPOSE } = settings;

  async function follow(first: URL, accept: string, signal: AbortSignal): Promise<Answer> {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const addresses = await resolveHost(url.hostname, signal, settings.lookup);
      const port = Number(url.port || 443);
      // One private address among public ones is the mark of an attack, so it is not enough to leave it out.
      if (!addresses.every(({ address }) => isAllowed(address, port))) throw new AssetRefused('not_public');
      const answer = await download(url, { addresses, ca: settings.ca, maxBytes, accept, purpose, signal });
      if ('bytes' in answer) return answer;
      url = checkUrl(answer.location, settings.hosts, url);
    }
    throw new AssetRefused('too_many_redirects');
  }

  /** @throws AssetRefused with the reason; the signal's reason when the caller gave up. */
  const fetchAsset: FetchAsset = async (address, { kinds, signal }) => {
    const deadline = AbortSignal.timeout(maxMs);
    try {
      const url = checkUrl(address, settings.hosts);
      const ends = AbortSignal.any([signal, deadline]);
      // Whatever a connection does or leaves undone, the deadline counts.
      const { bytes, contentType } = await withTimeout(follow(url, acceptOf(kinds), ends), { signal: ends });
      const mediaType = await sniff(bytes, contentType, kinds);
      if (mediaType === undefined) throw new AssetRefused('wrong_type');
      return { bytes, mediaType };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof AssetRefused) throw error;
      throw new AssetRefused(deadline.aborted ? 'too_slow' : 'unreachable', error);
    }
  };
  return { fetchAsset };
}

function acceptOf(kinds: readonly AssetKind[]): string {
  return kinds.includes('audio') ? 'audio/*' : 'image/*, font/*, text/css';
}

/** The strict rule: the Internet, on the port of https. */
function isPublicHttps(address: string, port: number): boolean {
  return port === 443 && isPublicAddress(address);
}

function checkUrl(address: string, hosts: readonly string[] | undefined, base?: URL): URL {
  // The parser brings every spelling of an IP address into the usual one: 0x7f.1 becomes 127.0.0.1.
  const url = URL.parse(address, base?.href);
  if (!url) throw new AssetRefused('address_unusable');
  if (url.protocol !== 'https:') throw new AssetRefused('not_https');
  if (url.username !== '' || url.password !== '') throw new AssetRefused('credentials');
  const host = url.hostname.replace(/\.$/, '');
  const isOf = (one: string) => host === one || host.endsWith(`.${one}`);
  if (hosts && !hosts.some((one) => isOf(one.toLowerCase()))) throw new AssetRefused('host_not_allowed');
  // A name without a dot is one of the own network, whatever the resolver makes of it.
  if (!host.includes('.') && isIP(host.slice(1, -1)) !== 6) throw new AssetRefused('not_public');
  return url;
}
