import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

/** What a taker wants of a bucket; times in whole microseconds, so that sums of them are exact. */
export type Taking = {
  readonly key: string;
  /** Microseconds in which one call is filled up again. */
  readonly unit: number;
  readonly burst: number;
  /** Calls without which it takes none. */
  readonly least: number;
  /** More are taken only of what is there in plenty: a quarter of it. */
  readonly most: number;
  /** Calls it takes besides, of what is still to flow in. */
  readonly owed: number;
  /** The time it is; null for the database's, which all nodes share. */
  readonly at: Date | null;
};

const Bucket = z.object({ granted: z.number(), used_us: z.coerce.number() });
type Bucket = z.output<typeof Bucket>;

/** The SQL of rate limits. A bucket is known by when it will be full; one that is full is as if it were not there. */

/** Takes calls in one statement, and says how much is used; undefined, and nothing taken, when there are too few. */
export async function take(
  sql: Sql,
  { key, unit, burst, least, most, owed, at }: Taking,
): Promise<Bucket | undefined> {
  const [row] = await sql`
    insert into rate_buckets as bucket (key, granted, full_at)
    select ${key}, first.granted,
      coalesce(${at}::timestamptz, now())
        + (first.granted + ${owed}::int) * ${unit}::float8 * interval '1 microsecond'
    from (select greatest(${least}::int, least(${most}::int, ${burst}::int / 4)) as granted) first
    where ${least}::int <= ${burst}::int
    on conflict (key) do update set (granted, full_at) = (
      select greatest(${least}::int, least(${most}::int, free / 4)),
        since + (greatest(${least}::int, least(${most}::int, free / 4)) + ${owed}::int)
          * ${unit}::float8 * interval '1 microsecond'
      from (
        select since, (${burst}::int - ceil(extract(epoch from since - at) * 1000000 / ${unit}::float8::numeric))::int
          as free
        from (select coalesce(${at}::timestamptz, now()) as at,
          greatest(bucket.full_at, coalesce(${at}::timestamptz, now())) as since) moments
      ) room
    )
    where greatest(bucket.full_at, coalesce(${at}::timestamptz, now()))
        + ${least}::int * ${unit}::float8 * interval '1 microsecond'
      <= coalesce(${at}::timestamptz, now()) + ${burst}::int * ${unit}::float8 * interval '1 microsecond'
    returning granted,
      extract(epoch from full_at - coalesce(${at}::timestamptz, now())) * 1000000 as used_us`;
  return row && Bucket.parse(row);
}

/** Microseconds until the bucket is full. */
export async function used(sql: Sql, key: string, at: Date | null): Promise<number> {
  const [row] = await sql`
    select 0 as granted,
      greatest(0, extract(epoch from full_at - coalesce(${at}::timestamptz, now())) * 1000000) as used_us
    from rate_buckets where key = ${key}`;
  return row ? Bucket.parse(row).used_us : 0;
}

export async function sweep(sql: Sql): Promise<void> {
  await sql`delete from rate_buckets where full_at < now()`;
}
