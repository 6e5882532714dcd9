import { describe, expect, test } from 'vitest';
import { said, useSyncDemo } from '../support/sync-demo.ts';

const demo = useSyncDemo();
const { rest, connectBoth, giveSyncPlan } = demo;

const SKU = { sheet_column: 'SKU', store_field: 'sku' };
const STOCK = { sheet_column: 'Stock', store_field: 'inventory_quantity' };

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
    path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]?.slice(demo.url.length);
  }
  expect(seen).toEqual(ids);
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

test('after all that, no token is found in an answer, a log line or a table', async () => {
  const { read, found } = await demo.leaks();
  expect(read.written).toContain('connect_store');
  expect(read.answered).toContain('content-type');
  expect(read.tables).toContain('demo');
  expect(found).toEqual([]);
});
