import { describe, expect, test } from 'vitest';
import { HTTP_CLIENTS, outputOf } from '../mcp/support/clients.ts';
import { ACCESS, RENEWED, SHEET, STORE, said, TOKEN, useSyncDemo, WEBHOOK } from '../support/sync-demo.ts';

const demo = useSyncDemo();
const { rest, connectStore, connectSheet, connectBoth } = demo;

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
    const renewed = await rest('PATCH', path, { body: { access_token: RENEWED } });
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
    const client = await connect(demo.url, demo.key);
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

test('after all that, no token is found in an answer, a log line or a table', async () => {
  const { read, found } = await demo.leaks();
  expect(read.written).toContain('connect_store');
  expect(read.answered).toContain('content-type');
  expect(read.tables).toContain('demo');
  expect(found).toEqual([]);
});
