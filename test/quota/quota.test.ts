import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createQuota } from '../../src/quota/create-quota.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { booksOf, newAccount, openQuota } from './workshop.ts';

let database: TestDatabase;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  accountId = await newAccount(database.sql);
});

const books = () => booksOf(database.sql, accountId);
const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('a month of the free plan', () => {
  test('an account that has used nothing has its whole month before it', async () => {
    const { quota } = openQuota(database.sql);
    expect(await quota.usage(accountId)).toEqual({
      month: '2026-11',
      hooks_used: 0,
      hooks_limit: 50,
      remaining: 50,
      percent_used: 0,
      credits: 0,
      resets_at: '2026-12-01T00:00:00.000Z',
      template_units: 0,
      by_day: [],
    });
  });

  test('what is delivered is charged, the rest is given back', async () => {
    const { quota } = openQuota(database.sql);
    const { id, ...reservation } = await quota.reserve(accountId, { units: 5 });
    expect(reservation).toEqual({ granted: 5, requested: 5, state: 'held' });
    expect((await quota.usage(accountId)).hooks_used).toBe(5);
    expect(await quota.settle(accountId, id, 3)).toBe(true);
    expect(await quota.usage(accountId)).toMatchObject({
      hooks_used: 3,
      remaining: 47,
      percent_used: 6,
      by_day: [{ date: '2026-11-21', hooks: 3 }],
    });
  });

  test('nothing delivered costs nothing, and more than was granted is never charged', async () => {
    const { quota } = openQuota(database.sql);
    const failed = await quota.reserve(accountId, { units: 10 });
    await quota.settle(accountId, failed.id, 0);
    const generous = await quota.reserve(accountId, { units: 5 });
    await quota.settle(accountId, generous.id, 99);
    expect(await books()).toEqual({ credits: 0, used: { '2026-11': 5 } });
  });

  test('a reservation ends once: a second settling has no effect, and says so', async () => {
    const { quota } = openQuota(database.sql);
    const { id } = await quota.reserve(accountId, { units: 5 });
    expect(await quota.settle(accountId, id, 5)).toBe(true);
    expect(await quota.settle(accountId, id, 0)).toBe(false);
    expect(await quota.settle(accountId, 'res_nobody', 5)).toBe(false);
    expect(await books()).toEqual({ credits: 0, used: { '2026-11': 5 } });
  });

  test("another account's reservation is not there", async () => {
    const { quota } = openQuota(database.sql);
    const stranger = await newAccount(database.sql);
    const { id } = await quota.reserve(accountId, { units: 5 });
    expect(await quota.settle(stranger, id, 0)).toBe(false);
    expect(await quota.settle(accountId, id, 5)).toBe(true);
  });

  test('fewer left than asked for: the remainder is granted', async () => {
    const { quota } = openQuota(database.sql, { limit: 7 });
    await quota.reserve(accountId, { units: 5 });
    expect(await quota.reserve(accountId, { units: 5 })).toMatchObject({ granted: 2, requested: 5 });
  });

  test('nothing left: 402 with what is used, what there was and when it starts again', async () => {
    const { quota } = openQuota(database.sql, { limit: 10 });
    await quota.reserve(accountId, { units: 10 });
    await expect(quota.reserve(accountId, { units: 3 })).rejects.toMatchObject({
      key: 'quota_exhausted.hooks',
      status: 402,
      params: { used: 10, limit: 10, resets: '2026-12-01' },
      data: {
        resets_at: '2026-12-01T00:00:00.000Z',
        hooks_used: 10,
        hooks_limit: 10,
        upgrade_url: '/billing',
      },
    });
    expect(await quota.usage(accountId)).toMatchObject({ remaining: 0, percent_used: 100 });
  });

  test('nothing left because the plan fell to the free one over a failed payment: 402 says that', async () => {
    const { quota, state } = openQuota(database.sql, { limit: 5 });
    state.pastDue = true;
    await quota.reserve(accountId, { units: 5 });
    await expect(quota.reserve(accountId, { units: 3 })).rejects.toMatchObject({
      key: 'subscription_past_due.app',
      status: 402,
    });
  });

  test('the next month starts at nothing, and work that ends after midnight is charged to its own month', async () => {
    const { quota, state } = openQuota(database.sql);
    state.now = Date.UTC(2026, 10, 30, 23, 59, 50);
    const { id } = await quota.reserve(accountId, { units: 10 });
    state.now = Date.UTC(2026, 11, 1, 0, 0, 10);
    expect(await quota.usage(accountId)).toMatchObject({ month: '2026-12', hooks_used: 0, by_day: [] });
    await quota.settle(accountId, id, 4);
    expect(await quota.usage(accountId)).toMatchObject({ month: '2026-12', hooks_used: 0, by_day: [] });
    expect(await books()).toEqual({ credits: 0, used: { '2026-11': 4 } });
    state.now = Date.UTC(2026, 10, 30, 23);
    expect((await quota.usage(accountId)).by_day).toEqual([{ date: '2026-11-30', hooks: 4 }]);
  });

  test('a larger plan counts at once and what was used stays; a smaller one takes nothing back', async () => {
    const { quota, state } = openQuota(database.sql);
    await quota.reserve(accountId, { units: 50 });
    state.limit = 1000;
    expect(await quota.usage(accountId)).toMatchObject({ hooks_used: 50, remaining: 950, percent_used: 5 });
    await quota.reserve(accountId, { units: 10 });
    state.limit = 50;
    expect(await quota.usage(accountId)).toMatchObject({ hooks_used: 60, remaining: 0, percent_used: 100 });
    await expect(quota.reserve(accountId, { units: 3 })).rejects.toMatchObject({ code: 'quota_exhausted' });
  });

  test('-1 has no end, and is still counted', async () => {
    const { quota } = openQuota(database.sql, { limit: -1 });
    const { id, granted } = await quota.reserve(accountId, { units: 100_000 });
    await quota.settle(accountId, id, granted);
    expect(await quota.usage(accountId)).toMatchObject({
      hooks_used: 100_000,
      hooks_limit: -1,
      remaining: -1,
      percent_used: 0,
      by_day: [{ date: '2026-11-21', hooks: 100_000 }],
    });
  });
});

describe('credits', () => {
  test('are used after the plan and given back before it', async () => {
    const { quota } = openQuota(database.sql, { limit: 4 });
    await quota.grantCredits(accountId, { credits: 10, source: 'cs_1' });
    expect(await quota.usage(accountId)).toMatchObject({ remaining: 4, credits: 10 });
    const { id } = await quota.reserve(accountId, { units: 10 });
    expect(await books()).toEqual({ credits: 4, used: { '2026-11': 4 } });
    await quota.settle(accountId, id, 3);
    expect(await books()).toEqual({ credits: 10, used: { '2026-11': 3 } });
  });

  test('outlive the month', async () => {
    const { quota, state } = openQuota(database.sql, { limit: 4 });
    await quota.grantCredits(accountId, { credits: 10, source: 'cs_1' });
    state.now = Date.UTC(2027, 5, 1);
    expect(await quota.usage(accountId)).toMatchObject({ month: '2027-06', remaining: 4, credits: 10 });
  });

  test('are granted once for a purchase, also when fifty deliveries of it come at once', async () => {
    const { quota } = openQuota(database.sql);
    const granted = await many(50, () => quota.grantCredits(accountId, { credits: 100, source: 'cs_1' }));
    expect(granted.filter(Boolean)).toHaveLength(1);
    expect(await books()).toEqual({ credits: 100, used: {} });
  });

  test('are taken back once for a source, only as far as there are any', async () => {
    const { quota } = openQuota(database.sql, { limit: 0 });
    await quota.grantCredits(accountId, { credits: 100, source: 'cs_1' });
    await quota.reserve(accountId, { units: 30 });
    const request = { credits: 100, source: 're_1' };
    expect(await many(20, () => quota.takeBackCredits(accountId, request))).toEqual(Array(20).fill(70));
    expect(await books()).toEqual({ credits: 0, used: {} });
  });
});

describe('many at once', () => {
  test('200 reservations against 50 units and 12 credits: 62 are granted', async () => {
    const { quota } = openQuota(database.sql, { limit: 50 });
    await quota.grantCredits(accountId, { credits: 12, source: 'cs_1' });
    const granted = await many(200, async () =>
      quota.reserve(accountId, { units: 5 }).then(
        (made) => made.granted,
        () => 0,
      ),
    );
    expect(granted.filter((units) => units > 0).sort()).toEqual([2, ...Array(12).fill(5)]);
    expect(granted.reduce((sum, units) => sum + units, 0)).toBe(62);
    expect(await books()).toEqual({ credits: 0, used: { '2026-11': 50 } });
  });

  test('one key fifty times: one reservation, the same for all', async () => {
    const { quota } = openQuota(database.sql);
    const made = await many(50, () => quota.reserve(accountId, { units: 5, key: 'once' }));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await books()).toEqual({ credits: 0, used: { '2026-11': 5 } });
  });

  test('a key of another account is another key', async () => {
    const { quota } = openQuota(database.sql);
    const other = await newAccount(database.sql);
    const [mine, theirs] = [
      await quota.reserve(accountId, { units: 5, key: 'k' }),
      await quota.reserve(other, { units: 5, key: 'k' }),
    ];
    expect(mine.id).not.toBe(theirs.id);
  });

  test('settling, refunding and sweeping one reservation at once: one of them wins', async () => {
    const { quota, state } = openQuota(database.sql);
    for (let round = 0; round < 10; round++) {
      const { id } = await quota.reserve(accountId, { units: 5 });
      const before = (await quota.usage(accountId)).hooks_used;
      state.now += 120_000;
      const [settled, refunded] = await Promise.all([
        quota.settle(accountId, id, 5),
        quota.settle(accountId, id, 0),
        quota.sweep(),
      ]);
      expect([settled, refunded].filter(Boolean).length).toBeLessThanOrEqual(1);
      expect((await quota.usage(accountId)).hooks_used).toBe(settled ? before : before - 5);
      await books();
    }
  });
});

describe('a key', () => {
  test('that was settled gives its reservation, which costs nothing again', async () => {
    const { quota } = openQuota(database.sql);
    const { id } = await quota.reserve(accountId, { units: 5, key: 'job 1' });
    await quota.settle(accountId, id, 5);
    const again = await quota.reserve(accountId, { units: 5, key: 'job 1' });
    expect(again).toEqual({ id, granted: 5, requested: 5, state: 'settled' });
    expect(await books()).toEqual({ credits: 0, used: { '2026-11': 5 } });
  });

  test('whose units were all given back is free again', async () => {
    const { quota } = openQuota(database.sql);
    const failed = await quota.reserve(accountId, { units: 5, key: 'job 1' });
    await quota.settle(accountId, failed.id, 0);
    const again = await quota.reserve(accountId, { units: 5, key: 'job 1' });
    expect(again).toMatchObject({ granted: 5, state: 'held' });
    expect(again.id).not.toBe(failed.id);
  });
});

describe('the sweep', () => {
  test('gives back what was held for two minutes by work that never ended', async () => {
    const { quota, state } = openQuota(database.sql);
    const { id } = await quota.reserve(accountId, { units: 5 });
    state.now += 119_999;
    await quota.sweep();
    expect(await books()).toEqual({ credits: 0, used: { '2026-11': 5 } });
    state.now += 1;
    await quota.sweep();
    expect(await books()).toEqual({ credits: 0, used: {} });
    expect(await quota.settle(accountId, id, 5)).toBe(false);
  });

  test('of several nodes at once gives everything back once', async () => {
    const { quota, state } = openQuota(database.sql, { limit: -1 });
    await many(30, () => quota.reserve(accountId, { units: 2 }));
    state.now += 120_000;
    await many(5, () => quota.sweep());
    expect(await books()).toEqual({ credits: 0, used: {} });
  });
});

describe('the ledger', () => {
  test('has an entry for every change, oldest first', async () => {
    const { quota } = openQuota(database.sql, { limit: 3 });
    await quota.grantCredits(accountId, { credits: 10, source: 'cs_1' });
    const { id } = await quota.reserve(accountId, { units: 5 });
    await quota.settle(accountId, id, 4);
    await quota.takeBackCredits(accountId, { credits: 4, source: 're_1' });
    const entries = await Array.fromAsync(quota.entries(accountId));
    expect(
      entries.map(({ seq: _, month, created_at, ...rest }) => ({
        ...rest,
        at: `${month} ${created_at.toISOString()}`,
      })),
    ).toEqual(
      [
        { kind: 'grant', plan_units: 0, credit_units: 10, reservation_id: null, source: 'cs_1' },
        { kind: 'reserve', plan_units: -3, credit_units: -2, reservation_id: id, source: null },
        { kind: 'refund', plan_units: 0, credit_units: 1, reservation_id: id, source: null },
        { kind: 'take_back', plan_units: 0, credit_units: -4, reservation_id: null, source: 're_1' },
      ].map((entry) => ({ ...entry, at: '2026-11 2026-11-21T12:00:00.000Z' })),
    );
  });

  test('refuses to be changed', async () => {
    const { quota } = openQuota(database.sql);
    await quota.reserve(accountId, { units: 5 });
    await expect(
      database.sql`update quota_entries set plan_units = 0 where account_id = ${accountId}`,
    ).rejects.toThrow('entries of the ledger are never changed');
  });

  test('goes with its account', async () => {
    const { quota } = openQuota(database.sql);
    await quota.reserve(accountId, { units: 5 });
    await database.sql`delete from accounts where id = ${accountId}`;
    expect(await Array.fromAsync(quota.entries(accountId))).toEqual([]);
  });
});

test('settling within a statement holds only with all of it', async () => {
  const { quota } = openQuota(database.sql);
  const { id } = await quota.reserve(accountId, { units: 5 });
  const failed = database.sql`
    with charged as materialized (select done from quota_settle(${accountId}, ${id}, 5, now()))
    insert into quota_balances (account_id) select ${accountId} from charged where done`;
  await expect(failed).rejects.toThrow('duplicate key');
  const [row] =
    await database.sql`select done, credits_left from quota_settle(${accountId}, ${id}, 2, now())`;
  expect(row).toEqual({ done: true, credits_left: 0 });
  expect(await books()).toEqual({ credits: 0, used: { '2026-11': 2 } });
});

test('who asks again with the same key has the units for as long as who asked first had', async () => {
  const { quota, state } = openQuota(database.sql);
  const first = await quota.reserve(accountId, { units: 5, key: 'once' });
  state.now += 110_000;
  expect(await quota.reserve(accountId, { units: 5, key: 'once' })).toEqual(first);
  state.now += 110_000;
  await quota.sweep();
  expect(await quota.settle(accountId, first.id, 5)).toBe(true);
  expect(await books()).toEqual({ credits: 0, used: { '2026-11': 5 } });
});

test('units stay held as long as the server was told to hold them', async () => {
  const entitlements = { of: async () => ({ hooks: { plan: 'free', hooksLimit: 50, pastDue: false } }) };
  let now = Date.UTC(2026, 10, 21);
  const quota = createQuota({ sql: database.sql, entitlements, now: () => now, holdMs: 1000 });
  await quota.reserve(accountId, { units: 5 });
  now += 1000;
  await quota.sweep();
  expect(await books()).toEqual({ credits: 0, used: {} });
});
