import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

const Reserved = z.object({ granted: z.number(), all_left: z.number() });
const Settled = z.object({ settled: z.boolean() });
const Old = z.object({ id: z.string(), visitor: z.string() });

type NewReservation = { id: string; units: number; daily: number; ceiling: number };

/** The SQL of the visitors' allowance. Visitors have no account: rows are found by the keyed hash of where they come from. */
export function createVisitorQuotaStore(sql: Sql) {
  return {
    async reserve(visitor: string, { id, units, daily, ceiling }: NewReservation, at: Date) {
      const [row] = await sql`
        select granted, all_left
        from visitor_reserve(${id}, ${visitor}, ${units}, ${daily}, ${ceiling}, ${at})`;
      return Reserved.parse(row);
    },

    async settle(visitor: string, id: string, delivered: number): Promise<boolean> {
      const [row] = await sql`select visitor_settle(${visitor}, ${id}, ${delivered}) as settled`;
      return Settled.parse(row).settled;
    },

    async heldSince(since: Date, limit: number): Promise<z.output<typeof Old>[]> {
      const rows = await sql`
        select id, visitor from visitor_reservations
        where created_at <= ${since} order by created_at limit ${limit}`;
      return z.array(Old).parse(rows);
    },

    /** Forgets days before this one, with all that was counted in them. */
    async forgetDaysBefore(day: string): Promise<void> {
      await sql`delete from visitor_days where day < ${day}::date`;
    },
  };
}
