import ipaddr from 'ipaddr.js';
import type { ServerSecret } from '../platform/server-secret.ts';
import type { Caller } from './caller.ts';

/** Account used by all anonymous callers. Stores nothing about them. */
export const ANONYMOUS_ACCOUNT = 'acc_anonymous';

export type AnonymousCallers = {
  /** An anonymous caller: may generate a few hooks and see prices. */
  callerAt(address: string | undefined): Promise<Caller>;
};

/** Distinguishes anonymous callers by a keyed daily hash of their network. No address is stored. */
export function createAnonymousCallers({
  secret,
  now = Date.now,
}: {
  secret: ServerSecret;
  now?: () => number;
}): AnonymousCallers {
  return {
    async callerAt(address) {
      const day = new Date(now()).toISOString().slice(0, 10);
      const visitor = await secret.mac('visitor', `${day} ${clientNetwork(address ?? '')}`);
      const visitorNetwork = await secret.mac('visitor-network', `${day} ${siteNetwork(address ?? '')}`);
      return {
        accountId: ANONYMOUS_ACCOUNT,
        actor: 'visitor',
        scopes: ['hooks:write', 'billing:read'],
        via: 'anonymous',
        visitor,
        visitorNetwork,
      };
    },
  };
}

/** The network that one site may have to itself: an IPv4 /24, or an IPv6 /48. */
function siteNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? parsed.toNormalizedString().split(':').slice(0, 3).join(':')
    : parsed.toString().split('.').slice(0, 3).join('.');
}

/** The network that identifies a client: the IPv4 address, or the first 64 bits of an IPv6 address. */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? parsed.toNormalizedString().split(':').slice(0, 4).join(':')
    : parsed.toString();
}
