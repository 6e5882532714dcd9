import ipaddr from 'ipaddr.js';
import type { ServerSecret } from '../platform/server-secret.ts';
import type { Caller } from './caller.ts';

/** The account that all visitors without a credential act in; it keeps nothing of them. */
export const ANONYMOUS_ACCOUNT = 'acc_anonymous';

export type AnonymousCallers = {
  /** A visitor as a caller: may generate a little, and see what is sold. */
  callerAt(address: string | undefined): Promise<Caller>;
};

/** Visitors are told apart by their address, of IPv6 the first 64 bits, as a keyed hash of the day: none is stored. */
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
      return {
        accountId: ANONYMOUS_ACCOUNT,
        actor: 'visitor',
        scopes: ['hooks:write', 'billing:read'],
        via: 'anonymous',
        visitor,
      };
    },
  };
}

/** Where an address belongs, as one who is told apart from others: itself, or of IPv6 the first 64 bits. */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? parsed.toNormalizedString().split(':').slice(0, 4).join(':')
    : parsed.toString();
}
