import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Tx } from '../../src/platform/database/database.ts';
import { createShopifyStores } from '../../src/providers/shopify/shopify.ts';
import { createThrottleStore } from '../../src/sync/throttle-repo.ts';
import { startShopifyPeer } from '../peers/shopify.ts';
import { TOKEN, virtualClock } from '../providers/shopify/wire.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';

const SHOP = 'shop.myshopify.com';
const FULL = { available: 2000, capacity: 2000, restoreRate: 100 };

let database: TestDatabase;
let now = 0;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  now = Date.parse('2026-11-21T10:00:00Z');
  await database.reset();
});

const store = () => createThrottleStore(database.sql, () => new Date(now));

test('a store that nothing was learnt of gives any points', async () => {
  expect(await store().take(SHOP, 1_000_000)).toBe(0);
});

test('points are taken until there are too few; then the time until there are enough is answered and none is taken', async () => {
  const throttles = store();
  await throttles.learn(SHOP, { ...FULL, available: 100 });
  expect(await throttles.take(SHOP, 60)).toBe(0);
  expect(await throttles.take(SHOP, 60)).toBe(200);
  expect(await throttles.take(SHOP, 40)).toBe(0);
  expect(await throttles.take(SHOP, 1)).toBe(10);
});

test('points come back at the rate of the store, up to its capacity', async () => {
  const throttles = store();
  await throttles.learn(SHOP, { available: 0, capacity: 200, restoreRate: 100 });
  expect(await throttles.take(SHOP, 150)).toBe(1500);
  now += 1500;
  expect(await throttles.take(SHOP, 150)).toBe(0);
  expect(await throttles.take(SHOP, 1)).toBe(10);
  now += 60_000;
  expect(await throttles.take(SHOP, 200)).toBe(0);
  expect(await throttles.take(SHOP, 1)).toBe(10);
});

test('what costs more than the capacity is given when the bucket is full', async () => {
  const throttles = store();
  await throttles.learn(SHOP, { available: 0, capacity: 200, restoreRate: 100 });
  expect(await throttles.take(SHOP, 900)).toBe(2000);
  now += 2000;
  expect(await throttles.take(SHOP, 900)).toBe(0);
});

test('what the store itself says counts more than what was reckoned', async () => {
  const throttles = store();
  await throttles.learn(SHOP, { ...FULL, available: 0 });
  await throttles.learn(SHOP, { ...FULL, available: 500 });
  expect(await throttles.take(SHOP, 500)).toBe(0);
  await throttles.learn(SHOP, { available: 0, capacity: 1000, restoreRate: 50 });
  expect(await throttles.take(SHOP, 500)).toBe(10_000);
});

test('a clock that is behind takes nothing back', async () => {
  const throttles = store();
  await throttles.learn(SHOP, { ...FULL, available: 10 });
  now -= 60_000;
  expect(await throttles.take(SHOP, 10)).toBe(0);
  now += 60_000;
  expect(await throttles.take(SHOP, 10)).toBe(100);
});

test('each store has points of its own', async () => {
  const throttles = store();
  await throttles.learn(SHOP, { ...FULL, available: 0 });
  await throttles.learn('other.myshopify.com', FULL);
  expect(await throttles.take('other.myshopify.com', 2000)).toBe(0);
  expect(await throttles.take(SHOP, 1)).toBe(10);
});

test('many at once never take more than there is', async () => {
  const throttles = store();
  await throttles.learn(SHOP, { ...FULL, available: 1000 });
  const waits = await Promise.all(Array.from({ length: 300 }, () => throttles.take(SHOP, 6)));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(166);
  expect(new Set(waits.filter((wait) => wait > 0))).toEqual(new Set([20]));
});

test.runIf(testServer)('a caller that waits for another node goes by what that node has left', async () => {
  const throttles = store();
  await throttles.learn(SHOP, { ...FULL, available: 1000 });
  const taking = await database.sql.begin(async (tx) => {
    await tx`update sync_throttles set available = 0`;
    const answer = throttles.take(SHOP, 600);
    await vi.waitFor(async () => expect(await waiting(tx)).toHaveLength(1), { timeout: 30_000 });
    return { answer };
  });
  expect(await taking.answer).toBe(6000);
});

test('two nodes that write to one store at the same time keep to its points together', async () => {
  const clock = virtualClock();
  const peer = await startShopifyPeer({
    domain: SHOP,
    token: TOKEN,
    clock: { now: clock.now, sleep: async () => {} },
    plan: { size: 100, rate: 50 },
    shop: { products: Array.from({ length: 60 }, (_, nth) => ({ title: `Tea ${nth}`, variants: [{}] })) },
  });
  const throttles = createThrottleStore(database.sql, () => new Date(clock.now()));
  const write = { key: 'k', reference: 'syn_1', signal: new AbortController().signal };
  const changes = peer.emulator
    .variants()
    .map(({ productId }, nth) => ({ productId, title: `New ${nth}`, variants: [] }));
  const node = (own: typeof changes) =>
    createShopifyStores({ apiVersion: '2026-10', baseUrl: peer.url, throttles, clock })
      .open({ domain: SHOP, credentials: { token: TOKEN } })
      .updateProducts(own, write);
  const outcomes = await Promise.all([node(changes.slice(0, 30)), node(changes.slice(30))]);
  await peer.close();
  expect(outcomes.flat()).toEqual(Array(60).fill({ state: 'applied' }));
  expect(peer.emulator.variants().map(({ title }) => title)).toEqual(changes.map(({ title }) => title));
  expect(peer.emulator.calls.filter(({ throttled }) => throttled).length).toBeLessThan(60);
});

test('without a clock of its own it goes by that of the database', async () => {
  const throttles = createThrottleStore(database.sql);
  await throttles.learn(SHOP, { available: 0, capacity: 100, restoreRate: 1 });
  const wait = await throttles.take(SHOP, 100);
  expect(wait).toBeGreaterThan(95_000);
  expect(wait).toBeLessThanOrEqual(100_000);
});

const waiting = (tx: Tx) => tx`
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
