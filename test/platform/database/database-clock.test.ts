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

const open = (engine: Database['engine'], everyMs?: number) =>
  openDatabaseClock({
    database: { sql: database.sql, engine },
    log: silentLog,
    ...(everyMs !== undefined && { everyMs }),
  });

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
  const real = Date.now();
  setClock(real - 500);
  const clock = await open('postgres');
  expect(clock.now()).toBe(real - 500);
  clock.close();
});

test('a clock that is set while the process runs is compared again', async () => {
  const clock = await open('postgres', 20);
  const real = Date.now();
  setClock(real + HOUR_MS);
  await expect.poll(() => Math.abs(clock.now() - real) < 60_000).toBe(true);
  clock.close();
});

test('the embedded database has the machine’s clock', async () => {
  const clock = await open('embedded');
  expect(clock.now).toBe(Date.now);
  clock.close();
});
