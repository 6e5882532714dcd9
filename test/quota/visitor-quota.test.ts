import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createVisitorQuota } from '../../src/quota/create-visitor-quota.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.reset());

/** The wider network of visitors who are no case of their own. */
const network = 'net';

function open({ daily = 3, ceiling = 300 } = {}) {
  const state = { now: Date.UTC(2026, 10, 21, 23, 59) };
  const quota = createVisitorQuota({ sql: database.sql, daily, ceiling, now: () => state.now });
  return { state, quota };
}

/** What the database counts: of everybody, of each visitor, and what is still held. */
async function counts() {
  const days = await database.sql`
    select day::text as day, used from visitor_days where used > 0 order by day`;
  const visitors = await database.sql`
    select visitor, used from visitor_allowances where used > 0 and visitor like 'v%' order by visitor`;
  const held = await database.sql`select id from visitor_reservations`;
  return {
    days: Object.fromEntries(days.map(({ day, used }) => [day, used])),
    visitors: Object.fromEntries(visitors.map(({ visitor, used }) => [visitor, used])),
    held: held.length,
  };
}

test('a visitor gets three hooks a day, then 429 until the next day begins', async () => {
  const { quota } = open();
  const { id, ...made } = await quota.reserve('v1', { units: 5, network });
  expect(made).toEqual({ granted: 3, requested: 5, state: 'held' });
  await expect(quota.reserve('v1', { units: 3, network })).rejects.toMatchObject({
    key: 'anonymous_limit.day',
    status: 429,
    params: { limit: 3 },
    retryAfterSeconds: 60,
  });
  expect(await quota.reserve('v2', { units: 3, network })).toMatchObject({ granted: 3 });
  expect(await quota.settle('v1', id, 3)).toBe(true);
  expect(await counts()).toEqual({ days: { '2026-11-21': 6 }, visitors: { v1: 3, v2: 3 }, held: 1 });
});

test('what was not delivered is given back, once', async () => {
  const { quota } = open();
  const { id } = await quota.reserve('v1', { units: 3, network });
  expect(await quota.settle('v2', id, 0)).toBe(false);
  expect(await quota.settle('v1', id, 1)).toBe(true);
  expect(await quota.settle('v1', id, 0)).toBe(false);
  expect(await quota.reserve('v1', { units: 3, network })).toMatchObject({ granted: 2 });
});

test('all visitors together stop at the ceiling, however many come at once', async () => {
  const { quota } = open({ ceiling: 40 });
  const granted = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      quota.reserve(`v${index % 50}`, { units: 2, network: `net${index % 50}` }).then(
        (made) => made.granted,
        () => 0,
      ),
    ),
  );
  expect(granted.reduce((sum, units) => sum + units, 0)).toBe(40);
  expect((await counts()).days).toEqual({ '2026-11-21': 40 });
  await expect(quota.reserve('v99', { units: 3, network })).rejects.toMatchObject({
    key: 'anonymous_limit.everybody',
    status: 429,
    retryAfterSeconds: 60,
  });
});

test('fifty calls of one visitor at once get three hooks', async () => {
  const { quota } = open();
  const made = await Promise.allSettled(
    Array.from({ length: 50 }, () => quota.reserve('v1', { units: 1, network })),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(await counts()).toEqual({ days: { '2026-11-21': 3 }, visitors: { v1: 3 }, held: 3 });
});

test('a server that gives visitors nothing refuses them all', async () => {
  const { quota } = open({ daily: 0 });
  await expect(quota.reserve('v1', { units: 3, network })).rejects.toMatchObject({
    key: 'anonymous_limit.day',
  });
  expect(() => quota.requireAny()).toThrow('anonymous_limit.day');
  expect(open({ daily: 1 }).quota.requireAny()).toBeUndefined();
});

test('the next day starts at nothing; work of before midnight that ends after it is no trouble', async () => {
  const { quota, state } = open();
  const late = await quota.reserve('v1', { units: 3, network });
  state.now = Date.UTC(2026, 10, 22, 0, 0, 5);
  expect(await quota.reserve('v1', { units: 3, network })).toMatchObject({ granted: 3 });
  expect(await quota.settle('v1', late.id, 0)).toBe(true);
  expect((await counts()).days).toEqual({ '2026-11-22': 3 });
});

test('the sweep gives back what was held for two minutes, and forgets the days that are over', async () => {
  const { quota, state } = open();
  const { id } = await quota.reserve('v1', { units: 3, network });
  state.now = Date.UTC(2026, 10, 22, 12);
  await quota.reserve('v1', { units: 1, network });
  state.now += 119_999;
  await quota.reserve('v2', { units: 2, network });
  await quota.sweep();
  expect(await counts()).toEqual({ days: { '2026-11-22': 3 }, visitors: { v1: 1, v2: 2 }, held: 2 });
  expect(await quota.settle('v1', id, 3)).toBe(false);
  state.now += 1;
  await Promise.all([quota.sweep(), quota.sweep()]);
  expect(await counts()).toEqual({ days: { '2026-11-22': 2 }, visitors: { v2: 2 }, held: 1 });
});

test('all visitors of one wider network together get eight times what one gets, and others are not affected', async () => {
  const { quota } = open();
  const made = await Promise.allSettled(
    Array.from({ length: 100 }, (_, index) => quota.reserve(`v${index}`, { units: 3, network })),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  await expect(quota.reserve('v200', { units: 3, network })).rejects.toMatchObject({
    key: 'anonymous_limit.network',
    status: 429,
    retryAfterSeconds: 60,
  });
  expect(await quota.reserve('v201', { units: 3, network: 'net2' })).toMatchObject({ granted: 3 });
});

test('what a visitor did not get is given back to the wider network too', async () => {
  const { quota } = open({ daily: 1 });
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, index) => quota.reserve(`v${index}`, { units: 1, network })),
  );
  await expect(quota.reserve('v9', { units: 1, network })).rejects.toMatchObject({ code: 'anonymous_limit' });
  await quota.settle('v0', made[0]?.id ?? '', 0);
  expect(await quota.reserve('v9', { units: 1, network })).toMatchObject({ granted: 1 });
});
