import type { Caller } from '../../identity/caller.ts';
import type { Quota, VisitorQuota } from '../../quota/quota.ts';

/** Units held for one generation. */
export type Holding = {
  /** Hooks that may be delivered. */
  readonly granted: number;
  /** Its key was used before, and the hooks were delivered and charged then. */
  readonly done: boolean;
  /** Charges what was delivered and gives back the rest. */
  settle(delivered: number): Promise<unknown>;
  /** What the statement that stores the hooks is to settle; null where nothing is charged, or nothing stored. */
  readonly reservation: string | null;
};

type Parts = {
  readonly quota: Pick<Quota, 'reserve' | 'settle'>;
  readonly visitorQuota: Pick<VisitorQuota, 'reserve' | 'settle'>;
};

/** Holds units of an account, or of a visitor's allowance. @throws Fault quota_exhausted, subscription_past_due, anonymous_limit */
export async function holdUnits(
  { quota, visitorQuota }: Parts,
  { accountId, visitor }: Caller,
  { units, key }: { units: number; key?: string | undefined },
): Promise<Holding> {
  if (visitor !== undefined) {
    const { id, granted } = await visitorQuota.reserve(visitor, { units });
    const settle = (delivered: number) => visitorQuota.settle(visitor, id, delivered);
    return { granted, done: false, reservation: null, settle };
  }
  const { id, granted, state } = await quota.reserve(accountId, { units, key });
  return {
    granted,
    done: state === 'settled',
    settle: (delivered) => quota.settle(accountId, id, delivered),
    reservation: id,
  };
}

/** What costs nothing. */
export function freeUnits(units: number): Holding {
  return { granted: units, done: false, reservation: null, settle: async () => true };
}
