import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';
import type { Throttles } from './ports/throttles.ts';

const Taken = z.object({ wait_ms: z.coerce.number() });

/** Deletes the buckets of stores that were not called for a day: they are full. */
export async function deleteIdle(sql: Sql): Promise<void> {
  await sql`delete from sync_throttles where at < now() - interval '1 day'`;
}

/** The buckets of points of all stores. `now` is null for the database's clock, which all nodes share. */
export function createThrottleStore(sql: Sql, now: (() => Date) | null = null): Throttles {
  return {
    async take(domain, points) {
      const [row] = await sql`
        update sync_throttles as throttle
        set available = held.free - case when held.free >= held.need then held.need else 0 end, at = held.at
        from (
          select domain, least(${points}::float8, capacity) as need, greatest(restore_rate, 1) as rate,
            greatest(at, coalesce(${now?.() ?? null}::timestamptz, now())) as at,
            least(capacity, available + restore_rate
              * greatest(0, extract(epoch from coalesce(${now?.() ?? null}::timestamptz, now()) - at)::float8)) as free
          from sync_throttles where domain = ${domain} for update
        ) held
        where throttle.domain = held.domain
        returning case when held.free >= held.need then 0
          else ceil((held.need - held.free) / held.rate * 1000) end as wait_ms`;
      return row ? Taken.parse(row).wait_ms : 0;
    },

    async learn(domain, { available, capacity, restoreRate }) {
      await sql`
        insert into sync_throttles (domain, available, capacity, restore_rate, at)
        values (${domain}, ${available}, ${capacity}, ${restoreRate}, coalesce(${now?.() ?? null}::timestamptz, now()))
        on conflict (domain) do update set available = excluded.available, capacity = excluded.capacity,
          restore_rate = excluded.restore_rate, at = excluded.at`;
    },
  };
}
