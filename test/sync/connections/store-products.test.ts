import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStoreAnswers } from '../../../src/sync/connections/store-products.ts';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../../support/app.ts';

const patient = new AbortController().signal;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
  });
  await app.sync.start();
});
afterAll(() => app.close());

test('the products of the demo store are found by their words', async () => {
  const call = useTools(app, await newBareCaller(app));
  const { id } = await call('connect_store', { domain: 'demo.myshopify.com', store_access_token: 'any' });
  const listed = await call('list_products', { store_id: id, q: 'candle jar' });
  expect(listed).toMatchObject({
    items: [{ title: 'Soy candle in a jar', handle: 'soy-candle-in-a-jar', price: '18', currency: 'EUR' }],
    next_cursor: null,
  });
});

test('the store of another account is not found', async () => {
  const owner = useTools(app, await newBareCaller(app));
  const { id } = await owner('connect_store', { domain: 'demo.myshopify.com', store_access_token: 'any' });
  const other = useTools(app, await newBareCaller(app));
  await expect(other('list_products', { store_id: id })).rejects.toMatchObject({ code: 'not_found' });
});

test('a caller who leaves does not end the call of another', async () => {
  const pageOf = createStoreAnswers(() => 1_000);
  const store = { account_id: 'acc_1', id: 'sto_1', credentials: 'sealed' };
  const page = { products: [], next: null };
  const { promise, resolve } = Promise.withResolvers<typeof page>();
  const read = (signal: AbortSignal) =>
    Promise.race([
      promise,
      new Promise<never>((_, reject) => (signal.onabort = () => reject(signal.reason))),
    ]);
  const leaving = new AbortController();
  const first = pageOf(store, { limit: 5 }, leaving.signal, read);
  const second = pageOf(store, { limit: 5 }, patient, read);
  leaving.abort(new Error('left'));
  await expect(first).rejects.toThrow('left');
  resolve(page);
  expect(await second).toBe(page);
});

test('a page is read once a minute for each store, and again after it failed', async () => {
  let now = 1_000;
  const pageOf = createStoreAnswers(() => now);
  const store = { account_id: 'acc_1', id: 'sto_1', credentials: 'sealed' };
  const reads: string[] = [];
  const page = { products: [], next: null };
  const read = (name: string) => async () => {
    reads.push(name);
    return page;
  };
  const query = { limit: 5 };
  await Promise.all([pageOf(store, query, patient, read('a')), pageOf(store, query, patient, read('b'))]);
  await pageOf({ ...store, account_id: 'acc_2' }, { limit: 5 }, patient, read('other account'));
  now += 60_001;
  await pageOf(store, { limit: 5 }, patient, read('a minute later'));
  const failing = () => pageOf(store, { limit: 6 }, patient, () => Promise.reject(new Error('away')));
  await expect(failing()).rejects.toThrow('away');
  await pageOf(store, { limit: 6 }, patient, read('after a failure'));
  expect(reads).toEqual(['a', 'other account', 'a minute later', 'after a failure']);
});
