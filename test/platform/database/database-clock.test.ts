import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../../src/platform/database/database.ts';
import { openDatabaseClock } from '../../../src/platform/database/database-clock.ts';
import { silentLog } from '../../support/app.ts';
import { openTestDatabase } from '../../support/database.ts';

const HOUR_MS = 3_600_000;

let database: Database & { close(): Promise<void> };
beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => database.close());

const open = (engine: Database['engine']) =>
  openDatabaseClock({ database: { sql: database.sql, engine }, log: silentLog });

/** Sets the machine's clock, as far as JavaScript sees it. */
function setClock(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
}

test.each([2, -3])('on a machine whose clock is %i h ahead, the time is the database’s', async (hours) => {
  const real = Date.now();
  setClock(real + hours * HOUR_MS);
  const clock = await open('postgres');
  expect(Math.abs(clock.now() - real)).toBeLessThan(60_000);
  clock.close();
});

test('a clock within a second of the database’s counts as it is', async () => {
  const clock = await open('postgres');
  setClock(Date.now() - 500);
  expect(clock.now()).toBe(Date.now());
  clock.close();
});

test('the time runs on evenly when someone sets the machine’s clock', async () => {
  const clock = await open('postgres');
  const before = clock.now();
  setClock(Date.now() + HOUR_MS);
  expect(clock.now() - before).toBeLessThan(60_000);
  clock.close();
});

test('a machine whose clock is wrong, or is set to a wrong time later, says by how much, once', async () => {
  const lines: unknown[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line).ahead_seconds) });
  const real = Date.now();
  setClock(real + HOUR_MS);
  const clock = await openDatabaseClock({
    database: { sql: database.sql, engine: 'postgres' },
    log,
    everyMs: 20,
  });
  setClock(real - HOUR_MS);
  await expect.poll(() => lines.length).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 100));
  clock.close();
  expect(lines.map((seconds) => Math.round(Number(seconds) / 600))).toEqual([6, -6]);
});

test('the embedded database has the machine’s clock', async () => {
  const clock = await open('embedded');
  expect(clock.now).toBe(Date.now);
  clock.close();
});
