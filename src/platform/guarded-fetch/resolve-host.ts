import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AssetRefused } from './asset-refused.ts';

export type Address = { readonly address: string; readonly family: number };

export type Lookup = (host: string) => Promise<readonly Address[]>;

/**
 * All addresses of a host of a URL, at least one.
 * @throws AssetRefused unreachable for an unknown name; the signal's reason when it took too long.
 */
export async function resolveHost(
  hostname: string,
  signal: AbortSignal,
  lookup: Lookup = (host) => systemLookup(host, { all: true }),
): Promise<readonly Address[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  if (family !== 0) return [{ address: literal, family }];
  const addresses = await Promise.race([lookup(hostname), aborted(signal)]);
  if (addresses.length === 0) throw new AssetRefused('unreachable');
  return addresses;
}

// A lookup of the system cannot be stopped, only no longer waited for.
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
