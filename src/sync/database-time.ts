import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';

/** Milliseconds since 1970. Automatic syncs go by the database's, which is the same for all nodes. */
export type Clock = () => number | Promise<number>;

const Time = z.object({ time: z.number() });

export async function databaseTime(sql: Sql | Tx): Promise<number> {
  const [row] = await sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as time`;
  return Time.parse(row).time;
}
