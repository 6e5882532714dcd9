import type { Caller } from '../../identity/caller.ts';
import type { Quota, VisitorQuota } from '../../quota/quota.ts';

/** Units reserved for one generation. */
export type Reservation = {
  /** Hooks that may be delivered. */
  readonly granted: number;
  /** The key was used before, and its hooks were delivered and charged then. */
  readonly alreadyDelivered: boolean;
  /** Charges the delivered hooks and refunds the rest. */
  settle(delivered: number): Promise<unknown>;
  /** Id for the statement that stores the hooks and settles; null when nothing is charged, or nothing stored. */
  readonly reservationId: string | null;
};

type ReservationDeps = {
  readonly quota: Pick<Quota, 'reserve' | 'settle'>;
  readonly visitorQuota: Pick<VisitorQuota, 'reserve' | 'settle'>;
};

/**
 * Reserves units of an account, or of an anonymous caller's daily allowance.
 * @throws Fault quota_exhausted, subscription_past_due, anonymous_limit
 */
export async function reserveUnits(
  { quota, visitorQuota }: ReservationDeps,
  { accountId, visitor, visitorNetwork = '' }: Caller,
  { units, key }: { units: number; key?: string | undefined },
): Promise<Reservation> {
  if (visitor !== undefined) {
    const { id, granted } = await visitorQuota.reserve(visitor, { units, network: visitorNetwork });
    const settle = (delivered: number) => visitorQuota.settle(visitor, id, delivered);
    return { granted, alreadyDelivered: false, reservationId: null, settle };
  }
  const { id, granted, state } = await quota.reserve(accountId, { units, key });
  return {
    granted,
    alreadyDelivered: state === 'settled',
    settle: (delivered) => quota.settle(accountId, id, delivered),
    reservationId: id,
  };
}

/** Units of work that costs nothing. */
export function unmeteredUnits(units: number): Reservation {
  return { granted: units, alreadyDelivered: false, reservationId: null, settle: async () => true };
}
