import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { HOLD_MS, type VisitorQuota } from './quota.ts';
import { createVisitorQuotaStore } from './visitor-store.ts';

type Parts = {
  readonly sql: Sql;
  /** Hooks a visitor gets a UTC day; 0 gives none. */
  readonly daily: number;
  /** Hooks all visitors together get a UTC day. */
  readonly ceiling: number;
  readonly now?: () => number;
  /** How long units stay held; HOLD_MS unless said. */
  readonly holdMs?: number;
};

const DAY_MS = 86_400_000;
const SWEPT_AT_ONCE = 500;

/** The daily allowance of visitors, counted by the server: a count kept by a client would be an open wallet. */
export function createVisitorQuota({
  sql,
  daily,
  ceiling,
  now = Date.now,
  holdMs = HOLD_MS,
}: Parts): VisitorQuota {
  const store = createVisitorQuotaStore(sql);

  return {
    async reserve(visitor, { units }) {
      const at = now();
      const id = newId('res', at);
      const { granted, all_left } = await store.reserve(visitor, { id, units, daily, ceiling }, new Date(at));
      if (granted > 0) return { id, granted, requested: units, state: 'held' };
      if (all_left === 0 && daily > 0)
        throw new Fault('anonymous_limit.everybody', {}, { retryAfterSeconds: secondsLeftOfDay(at) });
      throw usedUp(daily, at);
    },

    demandAny() {
      if (daily === 0) throw usedUp(daily, now());
    },

    settle: (visitor, id, delivered) => store.settle(visitor, id, delivered),

    async sweep() {
      await store.forgetDaysBefore(new Date(now()).toISOString().slice(0, 10));
      for (;;) {
        const held = await store.heldSince(new Date(now() - holdMs), SWEPT_AT_ONCE);
        for (const { id, visitor } of held) await store.settle(visitor, id, 0);
        if (held.length < SWEPT_AT_ONCE) return;
      }
    },
  };
}

function usedUp(limit: number, at: number): Fault {
  return new Fault('anonymous_limit.day', { limit }, { retryAfterSeconds: secondsLeftOfDay(at) });
}

function secondsLeftOfDay(at: number): number {
  return Math.ceil((DAY_MS - (at % DAY_MS)) / 1000);
}
