import { LRUCache } from 'lru-cache';
import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { RATES, type Rate, type RateName, type Rates } from '../platform/rates.ts';
import * as bucketRepo from './bucket-repo.ts';
import { createLeases } from './leases.ts';

/** How a caller stands with one of the limits. */
export type RateState = {
  readonly name: RateName;
  /** Calls that may be made at once, and the seconds in which so many are allowed again. */
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Seconds until all of `limit` are there again. */
  readonly resetSeconds: number;
  /** 0 when the call is allowed, else the seconds after which it will be. */
  readonly waitSeconds: number;
};

type RateLimitsDeps = {
  readonly sql: Sql;
  readonly rates?: Partial<Rates> | undefined;
  /** For tests: the time it is, for all nodes. */
  readonly now?: () => number;
};

/** Rates of which a node takes several calls at a time. The others are exact, and ask the database for each call. */
const LEASED_FROM_PER_SECOND = 10;
const SECOND_US = 1_000_000;

// A fast limit keeps load off; while the database is away there is little of it, and what works without is to go on.
const allowAll = () => ({ used_us: 0, left: 0 });

/**
 * Token buckets in the database, shared by all nodes. Fast rates are leased: a node takes up to a second's
 * worth, never more than a quarter of the remaining tokens, and spends them within ten seconds without a
 * query. Unspent ones are lost, so over any time T at most burst + perSecond × T + nodes × perSecond calls
 * are allowed, and fewer from a nearly empty bucket. Slow rates allow exactly burst + perSecond × T.
 * In: the name of a rate and who calls. Out: the remaining calls, or Fault rate_limited. Invariant: the bound above holds
 * however many nodes there are.
 */
export function createRateLimits({ sql, rates = {}, now }: RateLimitsDeps) {
  const leases = createLeases({ take: (...args) => bucketRepo.take(sql, ...args), now: now ?? Date.now });
  // Until when a bucket is known to be too empty: who goes on calling costs the database nothing.
  const refused = new LRUCache<string, number>({ max: 10_000 });
  const clock = now ?? Date.now;
  const at = () => (now ? new Date(now()) : null);

  /** A slow rate lets a call that costs more than its burst begin when all of that is there; the next wait for the rest. */
  async function take(name: RateName, who: string, cost = 1): Promise<RateState> {
    const rate: Rate = rates[name] ?? RATES[name];
    const key = `${name} ${who}`;
    const unit = Math.round(SECOND_US / rate.perSecond);
    const state = (usedUs: number, held: number, waitSeconds: number): RateState => ({
      name,
      limit: rate.burst,
      windowSeconds: Math.ceil((rate.burst * unit) / SECOND_US),
      remaining: Math.max(0, rate.burst - Math.ceil(usedUs / unit)) + held,
      resetSeconds: Math.ceil(Math.max(0, usedUs) / SECOND_US),
      waitSeconds,
    });
    const refusedFor = (refused.get(`${key} ${cost}`) ?? 0) - clock();
    if (refusedFor > 0) return state(rate.burst * unit, 0, Math.ceil(refusedFor / 1000));
    const least = Math.min(cost, rate.burst);
    const taking = { key, unit, burst: rate.burst, least, at: at() };
    const taken =
      rate.perSecond >= LEASED_FROM_PER_SECOND
        ? await leases.take({ ...taking, most: Math.ceil(rate.perSecond), owed: 0 }).catch(allowAll)
        : await bucketRepo.take(sql, { ...taking, most: least, owed: cost - least });
    if (taken) return state(taken.used_us, 'left' in taken ? taken.left : 0, 0);
    const usedUs = await bucketRepo.used(sql, key, at());
    const waitMs = Math.max(1, (usedUs - (rate.burst - least) * unit) / 1000);
    refused.set(`${key} ${cost}`, clock() + waitMs);
    return state(usedUs, 0, Math.ceil(waitMs / 1000));
  }

  return {
    take,

    /**
     * The same for a call that is not made when it is not allowed. `tell` hears how the caller stands either way.
     * @throws Fault rate_limited.calls
     */
    async requireWithin(
      name: RateName,
      who: string,
      tell?: (state: RateState) => void,
      cost?: number,
    ): Promise<void> {
      const state = await take(name, who, cost);
      tell?.(state);
      const { limit, windowSeconds: seconds, waitSeconds: wait } = state;
      if (wait > 0)
        throw new Fault('rate_limited.calls', { limit, seconds, wait }, { retryAfterSeconds: wait });
    },

    /** Removes buckets that are full. */
    sweep: () => bucketRepo.sweep(sql),
  };
}
