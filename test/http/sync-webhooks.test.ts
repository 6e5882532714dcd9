import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HEADER, openPairs, type Pair, type Pairs, stocked } from '../support/sync-pairs.ts';

const SECRET = 'shpss_secret_of_the_app';

let pairs: Pairs;
let pair: Pair;
let config: string;

beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());
beforeEach(async () => {
  pair = await openListening();
  config = await pair.config({ direction: 'store_to_sheet', realtime: true });
});

/** A pair whose store signs its webhooks by SECRET. */
async function openListening(secret = SECRET): Promise<Pair> {
  const app = { clientId: 'app', clientSecret: secret };
  const opened = await pairs.open({
    ...{ products: stocked({ A: 1 }), rows: [HEADER], plan: 'pro', shop: { app } },
  });
  const { status } = await opened.rest('PATCH', `/sync/store/${opened.ids.store_id}`, {
    body: { webhook_secret: secret },
  });
  expect(status).toBe(200);
  return opened;
}

type Delivery = { headers: Readonly<Record<string, string>>; body: string };

async function deliver({ headers, body }: Delivery) {
  const answer = await fetch(`${pairs.url}/webhooks/shopify`, { method: 'POST', headers, body });
  const { code = 'none' } = (await answer.json()) as { code?: string };
  return [answer.status, code];
}

const changed = () => pair.shop.webhook('products/update', { id: 1 });
/** As the store describes itself. */
const removed = () => pair.shop.webhook('app/uninstalled', { myshopify_domain: pair.shop.domain });
const received = async () => [
  ...(await pairs.app.database
    .sql`select topic from sync_webhook_events where store_id = ${pair.ids.store_id}`),
];
/** Nothing of the pair is synced while its sheet is to be reconnected, however slowly this machine takes deliveries. */
const setSheetStatus = (status: 'connected' | 'reconnect_required') =>
  pairs.app.database.sql`update sync_sheets set status = ${status} where id = ${pair.ids.sheet_id}`;
/** When the configuration is due. */
const due = async () => {
  const { body } = await pair.rest('GET', '/sync/configs');
  // A list is a plain array.
  const found = (body as unknown as { id: string; next_run_at: string }[]).find(({ id }) => id === config);
  return Date.parse(found?.next_run_at ?? '');
};
const runs = async () =>
  (await pair.rest('GET', `/sync/history?config_id=${config}`)).body['items'] as {
    id: string;
    trigger: string;
    finished_at: string | null;
  }[];

describe('a delivery of the store', () => {
  test('is taken in once, however often it comes', async () => {
    const delivery = changed();
    expect(await deliver(delivery)).toEqual([200, 'none']);
    expect(await deliver(delivery)).toEqual([200, 'none']);
    expect(await received()).toEqual([{ topic: 'products/update' }]);
  });

  test('without an id is known by its signature', async () => {
    for (const { headers, body } of [changed(), changed(), pair.shop.webhook('products/update', { id: 2 })]) {
      const { 'x-shopify-webhook-id': _none, ...rest } = headers;
      expect(await deliver({ headers: rest, body })).toEqual([200, 'none']);
    }
    expect(await received()).toHaveLength(2);
  });

  test('makes a realtime configuration due in a second, and others not at all', async () => {
    const quiet = await pair.config({ direction: 'sheet_to_store', schedule: { every_minutes: 60 } });
    await setSheetStatus('reconnect_required');
    const before = Date.now();
    await deliver(changed());
    const after = Date.now();
    expect(await due()).toBeGreaterThanOrEqual(before + 1_000);
    expect(await due()).toBeLessThanOrEqual(after + 1_000);
    const { body } = await pair.rest('GET', '/sync/configs');
    const other = (body as unknown as { id: string; next_run_at: string }[]).find(({ id }) => id === quiet);
    expect(Date.parse(other?.next_run_at ?? '') - before).toBeGreaterThan(3_500_000);
  });

  test('that is followed by many makes one run, which has seen the last change', async () => {
    await setSheetStatus('reconnect_required');
    for (let left = 9; left >= 0; left -= 1) {
      pair.shop.setQuantity('A', left);
      expect(await deliver(pair.shop.webhook('inventory_levels/update', { available: left }))).toEqual([
        200,
        'none',
      ]);
    }
    await setSheetStatus('connected');
    await expect
      .poll(async () => {
        await pairs.app.sync.work();
        return (await runs()).map(({ trigger, finished_at }) => [trigger, finished_at !== null]);
      })
      .toEqual([['webhook', true]]);
    expect(pair.rows()).toEqual([HEADER, ['A', 0]]);
    const [run] = await runs();
    expect((await due()) - Date.parse(run?.finished_at ?? '')).toBeGreaterThan(60_000);
  });

  test.each(['customers/redact', 'shop/redact', 'bulk_operations/finish', 'orders/create', ''])(
    'of a topic that says nothing of products is only acknowledged: %s',
    async (topic) => {
      const before = await due();
      expect(await deliver(pair.shop.webhook(topic, {}))).toEqual([200, 'none']);
      expect(await due()).toBe(before);
    },
  );

  test('that the app was removed disconnects the store, and nothing runs any more', async () => {
    expect(await deliver(removed())).toEqual([200, 'none']);
    expect((await pair.rest('GET', '/sync/stores')).body).toMatchObject([{ status: 'disconnected' }]);
    const before = await due();
    await deliver(changed());
    expect([before, await due()]).toEqual([before, before]);
  });

  test('that tells of something else is not taken for the removal of the app by its topic', async () => {
    const { headers, body } = changed();
    const topic = { 'x-shopify-topic': 'app/uninstalled' };
    expect(await deliver({ headers: { ...headers, ...topic }, body })).toEqual([200, 'none']);
    expect((await pair.rest('GET', '/sync/stores')).body).toMatchObject([{ status: 'connected' }]);
  });

  test('says nothing to another account that has the same store by another secret', async () => {
    const other = await pairs.open({ plan: 'pro' });
    const { domain, token } = pair.shop;
    const again = { domain, store_access_token: token, webhook_secret: 'shpss_of_somebody_else' };
    const { status, body } = await other.post('/sync/store', again);
    expect(status).toBe(201);
    expect(await deliver(removed())).toEqual([200, 'none']);
    expect(await received()).toHaveLength(1);
    expect((await other.rest('GET', '/sync/stores')).body).toMatchObject([
      { id: body['id'], domain, status: 'connected' },
      { status: 'connected' },
    ]);
  });
});

describe('what the store did not sign is refused with 401, and changes nothing', () => {
  const sign = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('base64');
  const signed = (headers: Record<string, string>, body?: string): Delivery => {
    const delivery = changed();
    return { headers: { ...delivery.headers, ...headers }, body: body ?? delivery.body };
  };
  const FORGERIES: Record<string, () => Delivery> = {
    'another secret': () => {
      const delivery = changed();
      return signed({ 'x-shopify-hmac-sha256': sign(delivery.body, 'guessed') });
    },
    'no signature': () => {
      const { headers, body } = changed();
      const { 'x-shopify-hmac-sha256': _gone, ...unsigned } = headers;
      return { headers: unsigned, body };
    },
    'an empty secret': () => signed({ 'x-shopify-hmac-sha256': sign('{"id":1}', '') }),
    'a signature in hexadecimal': () =>
      signed({ 'x-shopify-hmac-sha256': createHmac('sha256', SECRET).update('{"id":1}').digest('hex') }),
    'a signature that is none': () => signed({ 'x-shopify-hmac-sha256': '*' }),
    'a changed body': () => signed({}, '{"id":2}'),
    'one more space': () => signed({}, '{"id":1} '),
    'an empty body': () => signed({}, ''),
    'a store nobody has connected': () => signed({ 'x-shopify-shop-domain': 'other.myshopify.com' }),
    'no store': () => signed({ 'x-shopify-shop-domain': '' }),
  };

  test.each(Object.keys(FORGERIES))('%s', async (name) => {
    const before = await due();
    const forged = FORGERIES[name]?.();
    expect(forged && (await deliver(forged))).toEqual([401, 'unauthenticated']);
    expect([await received(), await due()]).toEqual([[], before]);
  });

  test('the secret of another shop', async () => {
    const other = await openListening('shpss_of_another_shop');
    const { body, headers } = other.shop.webhook('app/uninstalled', {});
    const domain = { 'x-shopify-shop-domain': pair.shop.domain };
    expect(await deliver({ body, headers: { ...headers, ...domain } })).toEqual([401, 'unauthenticated']);
    expect((await pair.rest('GET', '/sync/stores')).body).toMatchObject([{ status: 'connected' }]);
  });

  test('a store that was connected without a secret', async () => {
    const deaf = await pairs.open({ shop: { app: { clientId: 'app', clientSecret: SECRET } } });
    expect(await deliver(deaf.shop.webhook('products/update', {}))).toEqual([401, 'unauthenticated']);
  });
});

test('a product of 5 MB is taken in, and a body over that is refused unread', async () => {
  const large = pair.shop.webhook('products/update', { body_html: 'x'.repeat(5_000_000) });
  expect(await deliver(large)).toEqual([200, 'none']);
  const { headers } = changed();
  expect(await deliver({ headers, body: 'x'.repeat(5 * 1024 * 1024 + 1) })).toEqual([413, 'too_large']);
});

test('a delivery asks little of the database, so that many at once are answered before the store gives up', async () => {
  pairs.app.queriesSince();
  const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(changed())));
  expect(new Set(answers.map(String))).toEqual(new Set(['200,none']));
  expect(pairs.app.queriesSince()).toBeLessThan(50 * 8);
  expect(await received()).toHaveLength(50);
});

test('a store is subscribed as soon as a configuration follows it in real time', async () => {
  const served = await openPairs({ PUBLIC_URL: 'https://stallhand.example', ALLOWED_HOSTS: '127.0.0.1' });
  try {
    const app = { clientId: 'app', clientSecret: SECRET };
    const opened = await served.open({ rows: [HEADER], plan: 'pro', shop: { app } });
    await opened.rest('PATCH', `/sync/store/${opened.ids.store_id}`, { body: { webhook_secret: SECRET } });
    await opened.config({ direction: 'store_to_sheet' });
    expect(opened.shop.subscriptions()).toEqual([]);
    await opened.config({ direction: 'store_to_sheet', realtime: true });
    await expect.poll(() => opened.shop.subscriptions().length).toBe(6);
  } finally {
    await served.close();
  }
});
