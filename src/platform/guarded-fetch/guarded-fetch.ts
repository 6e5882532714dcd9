import { isIP } from 'node:net';
import { withTimeout } from '../with-timeout.ts';
import { AssetBlocked } from './asset-blocked.ts';
import { type Download, download } from './download.ts';
import { isPublicHttps, type Lookup, resolveHost } from './resolve-host.ts';
import { type AssetKind, sniff } from './sniff.ts';

export type Asset = { readonly bytes: Buffer; readonly mediaType: string };

export type FetchAsset = (
  url: string,
  options: { readonly kinds: readonly AssetKind[]; readonly signal: AbortSignal },
) => Promise<Asset>;

export type FetchJson = (url: string, signal: AbortSignal) => Promise<unknown>;

export type GuardedFetchSettings = {
  /** Allowed hosts, each with its subdomains; by default all public ones. */
  readonly hosts?: readonly string[] | undefined;
  /** Whether this address and port may be connected to. Only tests replace the strict rule. */
  readonly isAllowed?: (address: string, port: number) => boolean;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly ca?: string;
  readonly lookup?: Lookup;
  /** Largest resource in bytes. */
  readonly maxBytes?: number;
  /** Time limit of one resource with all its redirects, in milliseconds. */
  readonly maxMs?: number;
  /** How many redirects are followed; 3 by default. */
  readonly maxRedirects?: number;
  /** Purpose, sent in the User-Agent header. */
  readonly purpose?: string;
};

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_MS = 3000;
const MAX_REDIRECTS = 3;
const PURPOSE = 'images of email templates';

/**
 * Fetches images, fonts, style sheets and sounds that templates name. In: an address chosen by a template's author.
 * Out: bytes with a media type, or AssetBlocked with the reason. Invariant: only public HTTPS addresses are connected
 * to. Every address is checked after it was resolved, exactly the checked addresses are connected to, and every
 * redirect starts over. The media type comes from the bytes.
 */
export function createGuardedFetch(settings: GuardedFetchSettings = {}) {
  const { isAllowed = isPublicHttps, maxBytes = MAX_BYTES, maxMs = MAX_MS, purpose = PURPOSE } = settings;
  const { maxRedirects = MAX_REDIRECTS } = settings;

  async function follow(first: URL, accept: string, signal: AbortSignal): Promise<Download> {
    let url = first;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const addresses = await resolveHost(url.hostname, signal, settings.lookup);
      const port = Number(url.port || 443);
      // One private address among public ones is the mark of an attack, so the whole host is blocked.
      if (!addresses.every(({ address }) => isAllowed(address, port))) throw new AssetBlocked('not_public');
      const answer = await download(url, { addresses, ca: settings.ca, maxBytes, accept, purpose, signal });
      if ('bytes' in answer) return answer;
      url = requireAllowedUrl(answer.location, settings.hosts, url);
    }
    throw new AssetBlocked('too_many_redirects');
  }

  /** @throws AssetBlocked with the reason; the signal's reason when the caller gave up. */
  async function fetchBytes(address: string, accept: string, signal: AbortSignal): Promise<Download> {
    const deadline = AbortSignal.timeout(maxMs);
    try {
      const url = requireAllowedUrl(address, settings.hosts);
      const ends = AbortSignal.any([signal, deadline]);
      // The deadline applies even when the connection hangs.
      return await withTimeout(follow(url, accept, ends), { signal: ends });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof AssetBlocked) throw error;
      throw new AssetBlocked(deadline.aborted ? 'too_slow' : 'unreachable', error);
    }
  }

  const fetchAsset: FetchAsset = async (address, { kinds, signal }) => {
    const { bytes, contentType } = await fetchBytes(address, acceptOf(kinds), signal);
    const mediaType = await sniff(bytes, contentType, kinds);
    if (mediaType === undefined) throw new AssetBlocked('wrong_type');
    return { bytes, mediaType };
  };

  /** A JSON document. Throws as `fetchAsset` does. */
  const fetchJson: FetchJson = async (address, signal) => {
    const { bytes } = await fetchBytes(address, 'application/json', signal);
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch (error) {
      throw new AssetBlocked('wrong_type', error);
    }
  };
  /** A file of any type, judged by who asked for it. Throws as `fetchAsset` does. */
  const fetchFile = async (address: string, signal: AbortSignal): Promise<Buffer> =>
    (await fetchBytes(address, '*/*', signal)).bytes;
  return { fetchAsset, fetchJson, fetchFile };
}

function acceptOf(kinds: readonly AssetKind[]): string {
  if (kinds.includes('video')) return kinds.includes('image') ? 'image/*, video/*' : 'video/*';
  return kinds.includes('audio') ? 'audio/*' : 'image/*, font/*, text/css';
}

function requireAllowedUrl(address: string, hosts: readonly string[] | undefined, base?: URL): URL {
  // The parser normalizes every spelling of an IP address: 0x7f.1 becomes 127.0.0.1.
  const url = URL.parse(address, base?.href);
  if (!url) throw new AssetBlocked('address_unusable');
  if (url.protocol !== 'https:') throw new AssetBlocked('not_https');
  if (url.username !== '' || url.password !== '') throw new AssetBlocked('credentials');
  const host = url.hostname.replace(/\.$/, '');
  const isOf = (one: string) => host === one || host.endsWith(`.${one}`);
  if (hosts && !hosts.some((one) => isOf(one.toLowerCase()))) throw new AssetBlocked('host_not_allowed');
  // A name without a dot belongs to the local network, whatever it resolves to.
  if (!host.includes('.') && isIP(host.slice(1, -1)) !== 6) throw new AssetBlocked('not_public');
  return url;
}
