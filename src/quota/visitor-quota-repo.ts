import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

// The SQL of the anonymous allowance. Rows are keyed by a keyed hash of the caller's network.

const Reserved = z.object({ granted: z.number(), all_left: z.number(), network_left: z.number() });
const Settled = z.object({ settled: z.boolean() });
const Expired = z.object({ id: z.string(), visitor: z.string() });

type NewReservation = {
  id: string;
  network: string;
  units: number;
  daily: number;
  networkDaily: number;
  ceiling: number;
};

export async function reserveUnits(
  sql: Sql,
  visitor: string,
  { id, network, units, daily, networkDaily, ceiling }: NewReservation,
  at: Date,
) {
  const [row] = await sql`
    select granted, all_left, network_left
    from visitor_reserve(${id}, ${visitor}, ${network}, ${units}, ${daily}, ${networkDaily}, ${ceiling}, ${at})`;
  return Reserved.parse(row);
}

export async function settle(sql: Sql, visitor: string, id: string, delivered: number): Promise<boolean> {
  const [row] = await sql`select visitor_settle(${visitor}, ${id}, ${delivered}) as settled`;
  return Settled.parse(row).settled;
}

/** Reservations made at or before `since`, the oldest first. */
export async function listReservedSince(
  sql: Sql,
  since: Date,
  limit: number,
): Promise<z.output<typeof Expired>[]> {
  const rows = await sql`
    select id, visitor from visitor_reservations
    where created_at <= ${since} order by created_at limit ${limit}`;
  return z.array(Expired).parse(rows);
}

/** Deletes days before this one with all their counters and reservations. */
export async function deleteDaysBefore(sql: Sql, day: string): Promise<void> {
  await sql`delete from visitor_days where day < ${day}::date`;
}
