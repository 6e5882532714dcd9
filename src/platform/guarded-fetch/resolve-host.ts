import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AssetBlocked } from './asset-blocked.ts';

export type Address = { readonly address: string; readonly family: number };

export type Lookup = (host: string) => Promise<readonly Address[]>;

/**
 * Resolves the host of a URL to at least one address.
 * @throws AssetBlocked unreachable for an unknown name; the signal's reason when it took too long
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
  if (addresses.length === 0) throw new AssetBlocked('unreachable');
  return addresses;
}

// A system lookup cannot be stopped, so its result is ignored.
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

// The only public range of IPv6. Others are special or unassigned, also `::7f00:1`, which some systems take for
// 127.0.0.1.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for a public address: not one of this machine, its network or a cloud's metadata services, not reserved, and
 * not an IPv6 address that carries an IPv4 address for a gateway.
 * @param address as a resolver returns it, without brackets
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}

/** The strict rule: a public address, on the HTTPS port. */
export function isPublicHttps(address: string, port: number): boolean {
  return port === 443 && isPublicAddress(address);
}
