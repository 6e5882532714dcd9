/**
 * The time that all nodes go by: the database's. By a clock of its own that is wrong, a node would refuse the links and codes of the
 * others as expired, and delete what is still wanted.
 * In: the database. Out: `now`, in milliseconds since 1970.
 * Invariant: within a second of the database's time it is the machine's, so that an exact clock never jumps.
 */
import { z } from 'zod';
import type { Log } from '../log.ts';
import type { Database, Sql, Tx } from './database.ts';

export type DatabaseClock = {
  /** Milliseconds since 1970. */
  now(): number;
  close(): void;
};

type ClockDeps = {
  readonly database: Pick<Database, 'sql' | 'engine'>;
  readonly log: Log;
  readonly everyMs?: number;
};

/** A clock can be set while the process runs. */
const EVERY_MS = 60_000;
const TOLERANCE_MS = 1_000;

const Time = z.object({ time: z.number() });

/** Compares the machine's clock with the database's, now and every minute. @throws what the statement throws */
export async function openDatabaseClock({
  database: { sql, engine },
  log,
  everyMs = EVERY_MS,
}: ClockDeps): Promise<DatabaseClock> {
  // One process alone has the embedded database, and its clock is the machine's.
  if (engine === 'embedded') return { now: Date.now, close() {} };
  /** What the machine's clock is ahead by. */
  let ahead = 0;
  await compare();
  const timer = setInterval(() => {
    // The last answer counts until the next one.
    compare().catch((error: unknown) => log.warn({ err: error }, 'the time of the database is not known'));
  }, everyMs).unref();
  return { now: () => Date.now() - ahead, close: () => clearInterval(timer) };

  async function compare(): Promise<void> {
    const before = ahead;
    const { difference, roundTrip } = await differenceFrom(sql);
    const isExact = Math.abs(difference) <= TOLERANCE_MS + roundTrip;
    ahead = isExact ? 0 : difference;
    if (ahead === 0 || Math.abs(ahead - before) <= TOLERANCE_MS + roundTrip) return;
    log.warn(
      { ahead_seconds: Math.round(ahead / 1000) },
      "this machine's clock differs from the database's, by which this server goes now. Providers reject requests with a wrong time: let NTP set the clock",
    );
  }
}

/** Milliseconds that the machine's clock is ahead of the database's, and those that the answer took. */
async function differenceFrom(sql: Sql): Promise<{ difference: number; roundTrip: number }> {
  const from = Date.now();
  const began = performance.now();
  const time = await databaseTime(sql);
  const roundTrip = performance.now() - began;
  return { difference: Math.round(from + roundTrip / 2 - time), roundTrip };
}

/** Milliseconds since 1970. */
export async function databaseTime(sql: Sql | Tx): Promise<number> {
  const [row] = await sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as time`;
  return Time.parse(row).time;
}
