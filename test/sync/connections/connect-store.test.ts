import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { LOCALES, localizeFault, plainReader } from '../../../src/language.ts';
import { withDeadline } from '../../../src/sync/connections/verify-connection.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { PLACE } from '../../support/local-store.ts';
import { OTHER_PLACE, openWorkshop, signal, type Workshop } from '../../support/sync-connections.ts';

let database: TestDatabase;
let shop: Workshop;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  shop = openWorkshop(database);
  accountId = await shop.newAccount();
});

const TOKEN = 'shpat_0123456789abcdef';

describe('connecting', () => {
  test('a store is asked whether the token is right, and answers who and where it is', async () => {
    expect(await shop.connectStore(accountId)).toEqual({
      id: expect.stringMatching(/^sto_/),
      domain: 'my-shop.myshopify.com',
      location_id: PLACE.id,
      location_name: PLACE.name,
      name: 'Local',
      currency: 'EUR',
      status: 'connected',
      paused: false,
      token_hint: 'cdef',
      renewable: false,
      expires_at: null,
      consent: null,
      created_at: expect.any(String),
    });
    expect(shop.opened.stores).toEqual([
      { domain: 'my-shop.myshopify.com', credentials: { token: TOKEN }, accountId },
    ]);
    expect(shop.store.log.map(({ name }) => name)).toEqual(['describe']);
  });

  test('takes the address of its admin for the domain, and no other host', async () => {
    const { domain } = await shop.connectStore(accountId, ' https://My-Shop.myshopify.com/admin/products ');
    expect(domain).toBe('my-shop.myshopify.com');
    shop.opened.stores.length = 0;
    for (const host of ['evil.example', 'my-shop.myshopify.com.evil.example', 'evil.example/x.myshopify.com'])
      await expect(shop.connectStore(accountId, host)).rejects.toMatchObject({
        key: 'validation_failed.store_domain',
      });
    expect(shop.opened.stores).toEqual([]);
  });

  test('chooses the location that is asked for', async () => {
    const request = { domain: 'my-shop.myshopify.com', token: TOKEN, locationId: OTHER_PLACE.id };
    expect(await shop.stores.connect(accountId, request, signal)).toMatchObject({
      location_id: OTHER_PLACE.id,
      location_name: 'Warehouse',
    });
  });

  test('keeps nothing of a store that refuses', async () => {
    await expect(shop.connectStore(accountId, 'my-shop.myshopify.com', 'revoked')).rejects.toMatchObject({
      key: 'store_unauthorized.token',
    });
    expect(await shop.stores.list(accountId, { limit: 10 })).toEqual({ items: [], next_cursor: null });
  });

  test.each([
    ['nothing', {}],
    ['half a client', { clientId: 'client' }],
    ['a token and a client', { token: TOKEN, clientId: 'client', clientSecret: 'secret-of-client' }],
  ])('refuses %s before the store is asked', async (_what, secrets) => {
    const request = { domain: 'my-shop.myshopify.com', ...secrets };
    await expect(shop.stores.connect(accountId, request, signal)).rejects.toMatchObject({
      key: 'validation_failed.store_credentials',
    });
    expect(shop.opened.stores).toEqual([]);
  });

  test('a store that is connected already is named, so that it can be changed instead', async () => {
    const { id } = await shop.connectStore(accountId);
    await expect(shop.connectStore(accountId, 'MY-shop.myshopify.com')).rejects.toMatchObject({
      key: 'conflict.store_connected',
      status: 409,
      params: { domain: 'my-shop.myshopify.com', id },
    });
    expect(shop.opened.stores).toHaveLength(1);
  });

  test('two accounts may connect the same store', async () => {
    const other = await shop.newAccount();
    const { id } = await shop.connectStore(accountId);
    expect((await shop.connectStore(other)).id).not.toBe(id);
  });

  test('one that does not answer is not connected, and the message speaks of the address, not of a run', async () => {
    shop.store.before = () => {
      throw new Fault('store_unavailable.no_answer', { domain: 'x' });
    };
    const fault = await shop.connectStore(accountId).catch((error: unknown) => error);
    const said = LOCALES.map(
      (locale) => fault instanceof Fault && localizeFault(fault, plainReader(locale)).detail,
    );
    expect(said).toEqual([
      'my-shop.myshopify.com did not respond. Check the address and that the store is open, then try again in a few minutes.',
      'my-shop.myshopify.com no respondió. Comprueba la dirección y que la tienda esté abierta, e inténtalo de nuevo en unos minutos.',
    ]);
  });

  test('a store that takes too long is answered for', async () => {
    const late = () => new Fault('store_unavailable.unreached', { domain: 'x' });
    const never = (deadline: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        deadline.addEventListener('abort', () => reject(deadline.reason));
      });
    await expect(withDeadline(signal, late, never, 5)).rejects.toMatchObject({
      key: 'store_unavailable.unreached',
    });
    const gone = AbortSignal.abort(new Error('the caller has gone'));
    await expect(withDeadline(gone, late, async (deadline) => deadline.throwIfAborted())).rejects.toThrow(
      'the caller has gone',
    );
  });
});

describe('the plan', () => {
  test('bounds the stores of an account before a store is asked', async () => {
    await shop.setPlan(accountId, 'free');
    await shop.connectStore(accountId);
    await expect(shop.connectStore(accountId, 'second.myshopify.com')).rejects.toMatchObject({
      key: 'plan_limit.stores',
      status: 403,
      params: { plan: 'free', limit: 1, used: 1 },
      data: { limit: 1, used: 1 },
    });
    expect(shop.opened.stores).toHaveLength(1);
  });

  test('holds when many are connected at the same time', async () => {
    await shop.setPlan(accountId, 'pro');
    const domains = Array.from({ length: 12 }, (_, index) => `shop-${index}.myshopify.com`);
    const results = await Promise.allSettled(domains.map((domain) => shop.connectStore(accountId, domain)));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.key] : []));
    expect(refused).toEqual(Array.from({ length: 7 }, () => 'plan_limit.stores'));
    expect((await shop.stores.list(accountId, { limit: 50 })).items).toHaveLength(5);
  });

  test('of two that connect the same store at the same time one is told of the other', async () => {
    const results = await Promise.allSettled([shop.connectStore(accountId), shop.connectStore(accountId)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { key: 'conflict.store_connected' },
    });
  });

  test('after a downgrade the newest rest, and come back with the plan', async () => {
    const [first, second] = [
      await shop.connectStore(accountId),
      await shop.connectStore(accountId, 'b.myshopify.com'),
    ];
    await shop.setPlan(accountId, 'free');
    const { items } = await shop.stores.list(accountId, { limit: 10 });
    expect(items.map(({ id, paused }) => [id, paused])).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
    await expect(shop.stores.openFor(accountId, second.id)).rejects.toMatchObject({
      key: 'plan_limit.stores',
    });
    expect((await shop.stores.openFor(accountId, first.id)).store.id).toBe(first.id);
    await shop.setPlan(accountId, 'pro');
    expect((await shop.stores.openFor(accountId, second.id)).store.paused).toBe(false);
    await shop.stores.delete(accountId, first.id, { cascade: false });
    await shop.setPlan(accountId, 'free');
    expect((await shop.stores.get(accountId, second.id)).paused).toBe(false);
  });
});

describe('the demo store', () => {
  test('takes any token, or none', async () => {
    const domain = 'demo.myshopify.com';
    expect((await shop.stores.connect(accountId, { domain }, signal)).domain).toBe(domain);
    expect((await shop.connectStore(await shop.newAccount(), domain, 'any')).domain).toBe(domain);
  });

  test('is refused where the demo is off', async () => {
    const off = openWorkshop(database, { demo: false });
    await expect(off.connectStore(accountId, 'demo.myshopify.com')).rejects.toMatchObject({
      key: 'not_configured.sync_demo',
    });
    expect(off.opened.stores).toEqual([]);
  });
});
