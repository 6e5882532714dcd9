import { LRUCache } from 'lru-cache';
import type { Taking } from './bucket-repo.ts';

type Taken = { readonly granted: number; readonly used_us: number };
type Lease = { left: number; readonly used_us: number; readonly until: number };

type LeasesDeps = {
  /** Takes from the bucket that all nodes share; undefined when there is too little in it. */
  readonly take: (taking: Taking) => Promise<Taken | undefined>;
  readonly now: () => number;
};

const LEASE_TTL_MS = 10_000;

/** Calls a node has taken from shared buckets and not spent yet. */
export function createLeases({ take, now }: LeasesDeps) {
  const leases = new LRUCache<string, Lease>({ max: 10_000 });
  const asking = new Map<string, Promise<Lease | undefined>>();

  return {
    /** Spends leased calls, else takes a new lease. Concurrent callers wait for the same lease. */
    async take(taking: Taking): Promise<{ readonly used_us: number; readonly left: number } | undefined> {
      for (;;) {
        const held = leases.get(taking.key);
        if (held && held.until > now() && held.left >= taking.least) {
          held.left -= taking.least;
          return held;
        }
        if (!(await ask(taking))) return undefined;
      }
    },
  };

  function ask(taking: Taking): Promise<Lease | undefined> {
    return asking.get(taking.key) ?? begin(taking);
  }

  function begin(taking: Taking): Promise<Lease | undefined> {
    const asked = take(taking)
      .then((taken) => {
        if (!taken) return undefined;
        const lease = { left: taken.granted, used_us: taken.used_us, until: now() + LEASE_TTL_MS };
        leases.set(taking.key, lease);
        return lease;
      })
      .finally(() => asking.delete(taking.key));
    asking.set(taking.key, asked);
    return asked;
  }
}
