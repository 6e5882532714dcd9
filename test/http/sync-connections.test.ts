import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SyncPlan } from '../../src/plans.ts';
import { HTTP_CLIENTS, outputOf } from '../mcp/support/clients.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { givePlan } from '../support/plans.ts';
import { type Answer, newBareKey, startTestServer, type TestServer, useRest } from '../support/server.ts';

const TOKEN = 'shpat_token-of-the-demo-store';
const ACCESS = 'ya29.access-token-of-the-sheet';
const REFRESH = '1//refresh-token-of-the-sheet';
const WEBHOOK = 'whsec_of-the-demo-store';

let app: TestApp;
let server: TestServer;
let accountId: string;
let key: string;
let rest: ReturnType<typeof useRest>;
let written = '';
let answered = '';

const log = pino(
  { level: 'debug' },
  new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  }),
);

beforeAll(async () => {
  app = await openTestApp({
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
  });
  server = await startTestServer(app, {}, { log });
});
afterAll(async () => {
  await server.close();
  await app.close();
});
beforeEach(async () => {
  ({ accountId, key } = await newBareKey(app));
  const ask = useRest(server.url, key);
  rest = async (...call) => {
    const answer = await ask(...call);
    answered += JSON.stringify([answer.body, [...answer.headers]]);
    return answer;
  };
});

async function giveSyncPlan(plan: SyncPlan): Promise<void> {
  await app.database.sql`
    insert into subscriptions (id, account_id, app, plan, status, price_id, interval, amount, currency,
      current_period_end, cancel_at_period_end)
    values (${`sub_sync_${accountId}`}, ${accountId}, 'sync', ${plan}, 'active', 'price_test', 'month', 700, 'usd',
      now() + interval '30 days', false)
    on conflict (id) do update set plan = excluded.plan`;
  app.entitlements.invalidate(accountId);
}

const STORE = { domain: 'demo.myshopify.com', store_access_token: TOKEN };
const SHEET = { spreadsheet_id: 'demo', name: 'Stock list', access_token: ACCESS, refresh_token: REFRESH };
const SKU = { sheet_column: 'SKU', store_field: 'sku' };
const STOCK = { sheet_column: 'Stock', store_field: 'inventory_quantity' };

const connectStore = (body: object = STORE) => rest('POST', '/sync/store', { body });
const connectSheet = (body: object = SHEET) => rest('POST', '/sync/sheet', { body });

async function connectBoth(): Promise<{ store_id: unknown; sheet_id: unknown }> {
  const [store, sheet] = [await connectStore(), await connectSheet()];
  return { store_id: store.body['id'], sheet_id: sheet.body['id'] };
}

const said = ({ status, body }: Answer) => [status, body['code']];

describe('a store over REST', () => {
  test('is connected, listed, changed, tested and deleted', async () => {
    const { status, body: store } = await connectStore({ ...STORE, webhook_secret: WEBHOOK });
    expect([status, store]).toEqual([
      201,
      {
        id: expect.stringMatching(/^sto_/),
        domain: 'demo.myshopify.com',
        location_id: expect.any(String),
        location_name: expect.any(String),
        name: expect.any(String),
        currency: expect.stringMatching(/^[A-Z]{3}$/),
        status: 'connected',
        paused: false,
        token_hint: 'tore',
        renewable: false,
        expires_at: null,
        consent: null,
        created_at: expect.any(String),
      },
    ]);
    const path = `/sync/store/${store['id']}`;
    expect((await rest('GET', '/sync/stores')).body).toEqual([store]);
    const { items } = (await rest('GET', `${path}/locations`)).body as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toContain(store['location_id']);
    expect((await rest('POST', `${path}/test`)).body).toEqual(store);
    const renewed = await rest('PATCH', path, { body: { access_token: 'shpat_token-renewed' } });
    expect([renewed.status, renewed.body]).toEqual([200, { ...store, token_hint: 'ewed' }]);
    expect((await rest('DELETE', path)).body).toEqual({ deleted: true });
    expect((await rest('GET', '/sync/stores')).body).toEqual([]);
  });

  test('is connected once, also where the answer was lost and the call is made again', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { ...STORE, webhook_secret: WEBHOOK };
    const first = await rest('POST', '/sync/store', { body, headers });
    const again = await rest('POST', '/sync/store', { body, headers });
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([
      201,
      'true',
      first.body,
    ]);
  });

  test.each([
    ['another host', { ...STORE, domain: 'evil.example' }, [422, 'validation_failed']],
    ['an unknown field', { ...STORE, token: TOKEN }, [422, 'validation_failed']],
    ['half a client', { domain: 'my-shop.myshopify.com', client_id: 'x' }, [422, 'validation_failed']],
    ['no domain', { store_access_token: TOKEN }, [422, 'validation_failed']],
  ])('is refused with %s', async (_what, body, refusal) => {
    expect(said(await connectStore(body))).toEqual(refusal);
  });

  test('is one on the free plan; the same again names the connection', async () => {
    const { body: store } = await connectStore();
    const again = await connectStore();
    expect([said(again), again.body['detail']]).toEqual([
      [409, 'conflict'],
      expect.stringContaining(String(store['id'])),
    ]);
    const second = await connectStore({ domain: 'second.myshopify.com', store_access_token: TOKEN });
    expect([said(second), second.body]).toMatchObject([[403, 'plan_limit'], { limit: 1, used: 1 }]);
  });

  test('sends no secret through a model: connecting and tokens are not there over MCP', async () => {
    const { body: store } = await connectStore();
    const [, connect] = HTTP_CLIENTS[0] ?? expect.unreachable();
    const client = await connect(`${server.url}`, key);
    try {
      for (const name of ['connect_store', 'connect_sheet'])
        expect(await client.callTool(name, name === 'connect_store' ? STORE : SHEET)).toMatchObject({
          isError: true,
          _meta: { code: 'person_required' },
        });
      const withToken = await client.callTool('update_store', { id: store['id'], store_access_token: TOKEN });
      expect(withToken.isError).toBe(true);
      const listed = await client.callTool('list_stores', {});
      expect(outputOf(listed)).toEqual({ items: [store], next_cursor: null });
    } finally {
      await client.close();
    }
  });
});

describe('a sheet over REST', () => {
  test('is connected, listed, changed, tested and deleted', async () => {
    const { status, body: sheet } = await connectSheet();
    expect([status, sheet]).toEqual([
      201,
      {
        id: expect.stringMatching(/^she_/),
        spreadsheet_id: 'demo',
        name: 'Stock list',
        sheet_name: 'Sheet1',
        columns: ['SKU', 'Stock'],
        locale: expect.any(String),
        status: 'connected',
        paused: false,
        token_hint: 'heet',
        renewable: false,
        expires_at: null,
        consent: null,
        created_at: expect.any(String),
      },
    ]);
    const path = `/sync/sheet/${sheet['id']}`;
    expect((await rest('GET', '/sync/sheets')).body).toEqual([sheet]);
    expect((await rest('POST', `${path}/test`)).body).toEqual(sheet);
    expect((await rest('PATCH', path, { body: { name: 'Warehouse' } })).body).toEqual({
      ...sheet,
      name: 'Warehouse',
    });
    const missing = await rest('PATCH', path, { body: { sheet_name: 'Prices' } });
    expect([said(missing), missing.body['detail']]).toEqual([
      [422, 'sheet_not_found'],
      "The spreadsheet has no tab 'Prices'. Valid values: Sheet1.",
    ]);
    expect((await rest('DELETE', path)).body).toEqual({ deleted: true });
    expect(said(await rest('DELETE', path))).toEqual([404, 'not_found']);
  });

  test('takes a service account for tokens, never both', async () => {
    const service_account = { client_email: 'sync@shop.example', private_key: '-----BEGIN PRIVATE KEY-----' };
    const both = await connectSheet({ spreadsheet_id: '1AbC', access_token: ACCESS, service_account });
    expect(said(both)).toEqual([422, 'validation_failed']);
    const demo = await connectSheet({ spreadsheet_id: 'demo', service_account });
    expect([demo.status, demo.body['token_hint']]).toEqual([201, '']);
  });
});

test('a store and a sheet are read one by one, with an entity tag that moves with what they show', async () => {
  const { store_id, sheet_id } = await connectBoth();
  const [store, sheet] = [`/sync/store/${store_id}`, `/sync/sheet/${sheet_id}`];
  expect((await rest('GET', store)).body).toEqual((await rest('GET', '/sync/stores')).body[0]);
  const before = await rest('GET', sheet);
  const headers = { 'if-none-match': String(before.headers.get('etag')) };
  expect((await rest('GET', sheet, { headers })).status).toBe(304);
  await rest('PATCH', sheet, { body: { name: 'Another name' } });
  expect(await rest('GET', sheet, { headers })).toMatchObject({
    status: 200,
    body: { ...before.body, name: 'Another name' },
  });
});

describe('a configuration over REST', () => {
  const made = async (more: object = {}) =>
    rest('POST', '/sync/config', { body: { ...(await connectBoth()), direction: 'two_way', ...more } });

  test('is made with the documented layout by default, changed by version, and deleted', async () => {
    const { status, headers, body: config } = await made();
    expect([status, headers.get('etag')]).toEqual([201, '"1"']);
    expect(config).toMatchObject({
      direction: 'two_way',
      mappings: [SKU, STOCK],
      key: 'sku',
      key_column: null,
      location_id: null,
      status_column: null,
      schedule: null,
      version: 1,
      next_run_at: null,
    });
    const path = `/sync/config/${config['id']}`;
    const change = (version: string, body: object) =>
      rest('PATCH', path, { body, headers: { 'if-match': `"${version}"` } });
    const changed = await change('1', { status_column: 'Sync', safety_limits: { changed_percent: 100 } });
    expect([changed.status, changed.headers.get('etag'), changed.body]).toMatchObject([
      200,
      '"2"',
      { status_column: 'Sync', safety_limits: { changed_percent: 100, zeroed_percent: 5 }, version: 2 },
    ]);
    expect(said(await change('1', { enabled: false }))).toEqual([412, 'precondition_failed']);
    expect((await rest('GET', '/sync/configs')).body).toEqual([changed.body]);
    const read = await rest('GET', path);
    expect([read.headers.get('etag'), read.body]).toEqual(['"2"', changed.body]);
    const back = await rest('PATCH', path, { body: { status_column: null } });
    expect(back.body).toMatchObject({
      status_column: null,
      safety_limits: { changed_percent: 100 },
      version: 3,
    });
    const used = await rest('DELETE', `/sync/store/${config['store_id']}`);
    expect([said(used), used.body['detail']]).toEqual([
      [409, 'conflict'],
      expect.stringContaining(String(config['id'])),
    ]);
    expect((await rest('DELETE', path)).body).toEqual({ deleted: true });
    expect((await rest('GET', '/sync/configs')).body).toEqual([]);
  });

  test('goes with its store where that is said', async () => {
    const { body: config } = await made();
    const gone = await rest('DELETE', `/sync/store/${config['store_id']}?cascade=true`);
    expect(gone.body).toEqual({ deleted: true });
    expect((await rest('GET', '/sync/configs')).body).toEqual([]);
  });

  test('runs automatically only on a plan for that, and not faster than it allows', async () => {
    const free = await made({ schedule: { every_minutes: 60 } });
    expect(said(free)).toEqual([403, 'plan_required']);
    const { body: config } = await rest('POST', '/sync/config', {
      body: { ...(await pairOf()), direction: 'two_way' },
    });
    const every = (every_minutes: number) =>
      rest('PATCH', `/sync/config/${config['id']}`, { body: { schedule: { every_minutes } } });
    await giveSyncPlan('pro');
    expect(said(await every(10))).toEqual([403, 'plan_limit']);
    expect((await every(15)).body).toMatchObject({
      schedule: { every_minutes: 15 },
      next_run_at: expect.any(String),
    });
  });

  async function pairOf() {
    const first = async (path: string) => {
      // A list is an array.
      const [one] = (await rest('GET', path)).body as unknown as { id: string }[];
      return one?.id;
    };
    return { store_id: await first('/sync/stores'), sheet_id: await first('/sync/sheets') };
  }

  test.each([
    ['a column twice', { mappings: [SKU, { ...STOCK, sheet_column: 'sku' }] }],
    ['a field twice', { mappings: [SKU, STOCK, { ...STOCK, sheet_column: 'More' }] }],
    ['no key', { mappings: [STOCK] }],
    ['a field that is none', { mappings: [SKU, { sheet_column: 'X', store_field: 'colour' }] }],
    ['no mappings at all', { mappings: [] }],
  ])('is refused with %s', async (_what, more) => {
    expect(said(await made(more))).toEqual([422, 'validation_failed']);
  });
});

test('lists are read page by page, along their links', async () => {
  const pair = await connectBoth();
  const ids: unknown[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { body } = await rest('POST', '/sync/config', { body: { ...pair, direction: 'two_way' } });
    ids.unshift(body['id']);
  }
  const seen: unknown[] = [];
  for (let path: string | undefined = '/sync/configs?limit=2'; path; ) {
    const { body, headers } = await rest('GET', path);
    seen.push(...(body as unknown as { id: string }[]).map(({ id }) => id));
    path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]?.slice(server.url.length);
  }
  expect(seen).toEqual(ids);
});

test('the usage tells what the plan allows and what is used of it', async () => {
  await connectStore();
  expect((await rest('GET', '/sync/usage')).body).toEqual({
    plan: 'free',
    stores: { used: 1, limit: 1 },
    sheets: { used: 0, limit: 1 },
    auto_sync_minutes: null,
    api_access: false,
  });
  await giveSyncPlan('pro_api');
  expect((await rest('GET', '/sync/usage')).body).toEqual({
    plan: 'pro_api',
    stores: { used: 1, limit: -1 },
    sheets: { used: 0, limit: -1 },
    auto_sync_minutes: 5,
    api_access: true,
  });
});

const DOCUMENTED = [
  ...['sku', 'title', 'price', 'inventory_quantity', 'barcode', 'weight', 'grams'],
  ...['requires_shipping', 'taxable'],
];

test('the documented fields are the first nine, each with what it holds', async () => {
  const { items } = (await rest('GET', '/sync/fields')).body as { items: { field: string }[] };
  expect(items.slice(0, 9).map(({ field }) => field)).toEqual(DOCUMENTED);
  expect(items[3]).toEqual({
    field: 'inventory_quantity',
    kind: 'quantity',
    level: 'quantity',
    can_be_empty: false,
  });
});

describe('keys that the account made', () => {
  const newOwnKey = () => rest('POST', '/api/v1/api-keys', { body: { name: 'shop server' } });
  const use = async (own: unknown, path: string) =>
    said(await useRest(server.url, String(own))('GET', path)).filter((part) => part !== undefined);

  test('are made and used with API access to either app, each for its own; templates go with both', async () => {
    expect(said(await newOwnKey())).toEqual([403, 'plan_required']);
    await giveSyncPlan('pro_api');
    const { body: made } = await newOwnKey();
    const outcomes = async () => [
      await use(made['key'], '/sync/stores'),
      await use(made['key'], '/api/v1/history'),
      await use(made['key'], '/v1/templates'),
    ];
    const refused = [403, 'plan_required'];
    expect(await outcomes()).toEqual([[200], refused, [200]]);
    await givePlan(app, accountId, 'enterprise');
    expect(await outcomes()).toEqual([[200], [200], [200]]);
    await giveSyncPlan('pro');
    expect(await outcomes()).toEqual([refused, [200], [200]]);
    await givePlan(app, accountId, 'free');
    expect(await outcomes()).toEqual([refused, refused, refused]);
  });

  test('are told what they lack; the operator’s keys lack nothing', async () => {
    await givePlan(app, accountId, 'enterprise');
    const { body: made } = await newOwnKey();
    const { body } = await useRest(server.url, String(made['key']))('GET', '/sync/stores');
    expect(body).toMatchObject({
      code: 'plan_required',
      detail: 'Sync over the API requires the Pro API plan. Upgrade, or sign in instead of using a key.',
    });
    expect(await use(key, '/sync/stores')).toEqual([200]);
  });

  test('lack the same over MCP', async () => {
    await givePlan(app, accountId, 'enterprise');
    const { body: made } = await newOwnKey();
    const [, connect] = HTTP_CLIENTS[0] ?? expect.unreachable();
    const client = await connect(server.url, String(made['key']));
    try {
      expect((await client.callTool('list_stores', {})).isError).toBe(true);
      expect((await client.callTool('list_templates', {})).isError ?? false).toBe(false);
    } finally {
      await client.close();
    }
  });
});

test('after all that, no token is found in an answer, a log line or a table', async () => {
  expect(written).toContain('connect_store');
  const tables = await app.database.sql`
    select s::text as text from sync_stores s union all select s::text from sync_sheets s
    union all select i::text from idempotency_keys i`;
  const places = { written, answered, tables: tables.map((row) => String(row['text'])).join('\n') };
  for (const [place, text] of Object.entries(places))
    for (const secret of [TOKEN, ACCESS, REFRESH, WEBHOOK, 'shpat_token-renewed', '-----BEGIN'])
      expect([place, secret, text.includes(secret)]).toEqual([place, secret, false]);
});
