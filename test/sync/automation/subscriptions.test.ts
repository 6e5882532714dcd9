import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSubscriptions } from '../../../src/sync/automation/subscriptions.ts';
import { SyncOptions } from '../../../src/sync/config.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openWorkshop } from '../../support/sync-connections.ts';

const DAY = 86_400_000;
const log = pino({ level: 'silent' });

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

/** A store, with a realtime configuration unless told otherwise, on a server that is reached at `publicUrl`. */
async function openListener(publicUrl: string | undefined, { realtime = true } = {}) {
  const clock = { now: Date.now() };
  const workshop = openWorkshop(database);
  const { accountId, pair } = await workshop.newPair('pro');
  const secret = { webhookSecret: 'shpss_secret' };
  await workshop.stores.update(accountId, pair.store_id, secret, new AbortController().signal);
  await workshop.configs.create(accountId, {
    ...pair,
    direction: 'store_to_sheet',
    mappings: [
      { sheet_column: 'SKU', store_field: 'sku' },
      { sheet_column: 'Stock', store_field: 'inventory_quantity' },
    ],
    options: SyncOptions.parse({}),
    schedule: { every_minutes: 60 },
    realtime,
    enabled: true,
  });
  const { stores, store } = workshop;
  const asked: string[] = [];
  const openFor: typeof stores.openFor = async (...who) => {
    const { client, ...opened } = await stores.openFor(...who);
    const subscribe: typeof client.subscribe = (address, signal) => {
      asked.push(address);
      return client.subscribe(address, signal);
    };
    return { ...opened, client: { ...client, subscribe } };
  };
  const noted = { claimUnsubscribed: stores.claimUnsubscribed, openFor };
  const subscriptions = createSubscriptions({ stores: noted, publicUrl, log, now: () => clock.now });
  return {
    clock,
    renew: subscriptions.renew,
    store,
    /** The addresses the store was given. */
    asked,
  };
}

describe('a store with a realtime configuration', () => {
  test('is asked to tell of changes, once a day', async () => {
    const { renew, asked, clock } = await openListener('https://stallhand.example/');
    await renew();
    await renew();
    expect(asked).toEqual(['https://stallhand.example/webhooks/shopify']);
    clock.now += DAY + 1;
    await renew();
    expect(asked).toHaveLength(2);
  });

  test('is asked by one of two processes', async () => {
    const { renew, asked } = await openListener('https://stallhand.example');
    await Promise.all([renew(), renew()]);
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['there is no address', undefined],
    ['the address is not safe', 'http://stallhand.example'],
    ['the address is of this machine', 'http://127.0.0.1:8080'],
  ])('is not asked where %s', async (_what, publicUrl) => {
    const { renew, asked } = await openListener(publicUrl);
    await renew();
    expect(asked).toEqual([]);
  });

  test('that refuses is left for the day, and no others suffer', async () => {
    const { renew, store, asked } = await openListener('https://stallhand.example');
    store.before = () => {
      throw new Error('no');
    };
    await expect(renew()).resolves.toBeUndefined();
    await renew();
    expect(asked).toHaveLength(1);
  });
});

test('a store that nothing follows in real time is not asked', async () => {
  const { renew, asked } = await openListener('https://stallhand.example', { realtime: false });
  await renew();
  expect(asked).toEqual([]);
});
