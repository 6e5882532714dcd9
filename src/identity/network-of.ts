import ipaddr from 'ipaddr.js';

/** Where an address belongs, as one who is told apart from others: itself, or of IPv6 the first 64 bits. */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? parsed.toNormalizedString().split(':').slice(0, 4).join(':')
    : parsed.toString();
}
