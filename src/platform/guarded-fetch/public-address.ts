import ipaddr from 'ipaddr.js';

// Of all IPv6 addresses only these are on the Internet. The others are special, or given to nobody:
// also `::7f00:1`, which some systems take for 127.0.0.1.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for an address anyone on the Internet may have: not one of this machine, of its network, of a cloud's own
 * services, reserved, or an IPv6 address that carries an IPv4 address to be reached through a gateway.
 * @param address As a resolver answers it, without brackets.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
