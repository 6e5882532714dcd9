/**
 * The time that all nodes go by: the database's. By a clock of its own that is wrong, a node would refuse the links and codes of the
 * others as expired, and delete what is still wanted.
 * In: the database. Out: `now`, in milliseconds since 1970.
 * Invariant: within a second of the database's time it is the machine's; a machine that is wrong, or that someone sets, does not move it.
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

const EVERY_MS = 60_000;
/** A machine's clock within this of the database's counts as right. Providers allow a few seconds at least. */
const TOLERANCE_MS = 1_000;

const Time = z.object({ time: z.number() });

/** Asks the database for the time, now and every minute. @throws what the statement throws */
export async function openDatabaseClock({
  database: { sql, engine },
  log,
  everyMs = EVERY_MS,
}: ClockDeps): Promise<DatabaseClock> {
  // One process alone has the embedded database, and its clock is the machine's.
  if (engine === 'embedded') return { now: Date.now, close() {} };
  const first = await originOf(sql);
  /** The database's time when `performance.now()` was 0. */
  let origin = (first.from + first.to) / 2;
  /** By how much the machine's clock was ahead when that was logged last. */
  let toldAhead = 0;
  let isClosed = false;
  warnIfWrong();
  const timer = setInterval(compare, everyMs).unref();
  return { now, close };

  function now(): number {
    const machine = Date.now();
    const steady = Math.round(origin + performance.now());
    return Math.abs(machine - steady) <= TOLERANCE_MS ? machine : steady;
  }

  function close(): void {
    isClosed = true;
    clearInterval(timer);
  }

  async function compare(): Promise<void> {
    try {
      const { from, to } = await originOf(sql);
      // A slow answer says little: what fits it stays.
      if (origin < from || origin > to) origin = (from + to) / 2;
      warnIfWrong();
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'the time could not be compared with the database');
    }
  }

  function warnIfWrong(): void {
    const ahead = Date.now() - now();
    if (Math.abs(ahead - toldAhead) <= TOLERANCE_MS) return;
    toldAhead = ahead;
    if (Math.abs(ahead) <= TOLERANCE_MS) return;
    log.warn(
      { ahead_seconds: Math.round(ahead / 1000) },
      "this machine's clock is wrong; the server uses the database's time instead. Set the clock with NTP: providers reject requests with a wrong time",
    );
  }
}

/** Between which two the database's time was when `performance.now()` was 0: its answer came at some time of the round trip. */
async function originOf(sql: Sql): Promise<{ from: number; to: number }> {
  const sent = performance.now();
  const time = await databaseTime(sql);
  return { from: time - performance.now(), to: time - sent };
}

/** Milliseconds since 1970. */
export async function databaseTime(sql: Sql | Tx): Promise<number> {
  const [row] = await sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as time`;
  return Time.parse(row).time;
}
