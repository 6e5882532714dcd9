import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { HOLD_MS, type VisitorQuota } from './quota.ts';
import * as visitorQuotaRepo from './visitor-quota-repo.ts';

type QuotaDeps = {
  readonly sql: Sql;
  /** Hooks an anonymous caller gets per UTC day; 0 gives none. */
  readonly daily: number;
  /** Hooks all anonymous callers together get per UTC day. */
  readonly ceiling: number;
  readonly now?: () => number;
  /** How long units stay reserved; default HOLD_MS. */
  readonly holdMs?: number;
};

/** So that one IPv6 /48 or IPv4 /24 cannot use up the ceiling of all. */
const ALLOWANCES_PER_NETWORK = 8;
const DAY_MS = 86_400_000;
const SWEEP_BATCH_SIZE = 500;

/** Daily allowance of anonymous callers, counted by the server because a client's count can be forged. */
export function createVisitorQuota({
  sql,
  daily,
  ceiling,
  now = Date.now,
  holdMs = HOLD_MS,
}: QuotaDeps): VisitorQuota {
  return {
    async reserve(visitor, { units, network }) {
      const at = now();
      const id = newId('res', at);
      const { granted, all_left, network_left } = await visitorQuotaRepo.reserveUnits(
        sql,
        visitor,
        { id, network, units, daily, networkDaily: daily * ALLOWANCES_PER_NETWORK, ceiling },
        new Date(at),
      );
      if (granted > 0) return { id, granted, requested: units, state: 'held' };
      if (all_left === 0 && daily > 0)
        throw new Fault('anonymous_limit.everybody', {}, { retryAfterSeconds: secondsLeftOfDay(at) });
      if (network_left === 0 && daily > 0)
        throw new Fault('anonymous_limit.network', {}, { retryAfterSeconds: secondsLeftOfDay(at) });
      throw dailyLimitFault(daily, at);
    },

    requireAny() {
      if (daily === 0) throw dailyLimitFault(daily, now());
    },

    settle: (visitor, id, delivered) => visitorQuotaRepo.settle(sql, visitor, id, delivered),

    async sweep() {
      await visitorQuotaRepo.deleteDaysBefore(sql, new Date(now()).toISOString().slice(0, 10));
      for (;;) {
        const held = await visitorQuotaRepo.listReservedSince(
          sql,
          new Date(now() - holdMs),
          SWEEP_BATCH_SIZE,
        );
        for (const { id, visitor } of held) await visitorQuotaRepo.settle(sql, visitor, id, 0);
        if (held.length < SWEEP_BATCH_SIZE) return;
      }
    },
  };
}

function dailyLimitFault(limit: number, at: number): Fault {
  return new Fault('anonymous_limit.day', { limit }, { retryAfterSeconds: secondsLeftOfDay(at) });
}

function secondsLeftOfDay(at: number): number {
  return Math.ceil((DAY_MS - (at % DAY_MS)) / 1000);
}
