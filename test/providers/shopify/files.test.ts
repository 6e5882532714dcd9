import { expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { HERE, json, openWire, PLACE, type Sent, SHOP } from './wire.ts';

const { signal } = new AbortController();
const FILE = 'https://storage.example/result.jsonl?signature=1';
const unavailable = new Fault('store_unavailable.no_answer', { domain: SHOP });

const row = (number: number) => ({
  id: `gid://shopify/ProductVariant/${number}`,
  sku: `SKU-${number}`,
  price: '9.90',
  barcode: null,
  taxable: true,
  product: { id: 'gid://shopify/Product/1', title: 'Té de jazmín 茶', handle: 'te' },
  inventoryItem: {
    id: `gid://shopify/InventoryItem/${number}`,
    requiresShipping: true,
    tracked: true,
    measurement: { weight: null },
    inventoryLevel: { quantities: [{ quantity: number }] },
  },
});

/** A store of many variants that answers the bulk operation's queries; `file` answers each download. */
function openBulk(file: (sent: Sent, time: number) => Response, url = FILE) {
  let fetched = 0;
  const wire = openWire((sent) => {
    if (!sent.url.endsWith('/graphql.json')) {
      fetched += 1;
      return file(sent, fetched);
    }
    const name = /\b(Stallhand\w+)/.exec(sent.body)?.[1];
    if (name === 'StallhandFirstVariants') return json({ data: FIRST });
    if (name === 'StallhandBulkQuery')
      return json({ data: { bulkOperationRunQuery: { bulkOperation: { id: 'b' } } } });
    return json({ data: { bulkOperation: { status: 'COMPLETED', errorCode: null, url } } });
  });
  return {
    ...wire,
    async skus() {
      const skus: (string | null)[] = [];
      for await (const page of wire.store.read(HERE, signal).pages) skus.push(...page.map(({ sku }) => sku));
      return skus;
    },
  };
}

const FIRST = {
  shop: { name: 'Shop', currencyCode: 'EUR' },
  location: PLACE,
  productVariantsCount: { count: 5000 },
  productVariants: { nodes: [row(1)], pageInfo: { hasNextPage: true, endCursor: 'x' } },
};

const lines = (...numbers: number[]) => numbers.map((number) => `${JSON.stringify(row(number))}\n`).join('');
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** A body that comes in these pieces, and then ends or breaks. */
function pieces(parts: readonly Uint8Array[], end: 'ends' | 'breaks'): Response {
  const left = [...parts];
  return new Response(
    new ReadableStream({
      pull(controller) {
        const part = left.shift();
        if (part) controller.enqueue(part);
        else if (end === 'ends') controller.close();
        else controller.error(new TypeError('terminated'));
      },
    }),
  );
}

test('the file is fetched from where the store says, without the token', async () => {
  const { skus, sent } = openBulk(() => new Response(lines(1, 2, 3)));
  expect(await skus()).toEqual(['SKU-1', 'SKU-2', 'SKU-3']);
  const fetched = sent.find(({ url }) => url === FILE);
  expect([...(fetched?.headers ?? [])]).toEqual([]);
  expect(fetched?.redirect).toBe('manual');
});

test.each([1, 2, 3, 7, 64])(
  'lines and letters that are cut into pieces of %d bytes are put together again',
  async (size) => {
    const bytes = new TextEncoder().encode(`${lines(1, 2)}\n${lines(3).trimEnd()}`);
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.slice(n * size, (n + 1) * size),
    );
    const { skus } = openBulk(() => pieces(parts, 'ends'));
    expect(await skus()).toEqual(['SKU-1', 'SKU-2', 'SKU-3']);
  },
);

test('a file that breaks off in its middle is fetched again, and no line comes twice', async () => {
  const bytes = new TextEncoder().encode(lines(...upTo(50)));
  const { skus, clock } = openBulk((_sent, time) =>
    time < 4
      ? pieces([bytes.slice(0, time * 2000), bytes.slice(time * 2000, time * 3000)], 'breaks')
      : new Response(bytes),
  );
  expect(await skus()).toEqual(upTo(50).map((number) => `SKU-${number}`));
  expect(clock.waited).toHaveLength(4);
});

test('a file that never comes is tried six times', async () => {
  const { skus, sent } = openBulk(() => new Response(null, { status: 503 }));
  await expect(skus()).rejects.toEqual(unavailable);
  expect(sent.filter(({ url }) => url === FILE)).toHaveLength(6);
});

test.each(['http://storage.example/x', 'file:///etc/passwd', 'http://127.0.0.1/x', 'nonsense'])(
  'no file is fetched from %s',
  async (url) => {
    const { skus, sent } = openBulk(() => new Response(lines(1)), url);
    await expect(skus()).rejects.toEqual(unavailable);
    expect(sent.every((request) => request.url.startsWith(`https://${SHOP}/`))).toBe(true);
  },
);

test('a file that leads elsewhere is not followed', async () => {
  const { skus } = openBulk(
    () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1/' } }),
  );
  await expect(skus()).rejects.toEqual(unavailable);
});

test('the file is closed when its reader stops', async () => {
  let closed = false;
  const bytes = new TextEncoder().encode(lines(...upTo(400)));
  const { store } = openBulk(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(bytes),
          cancel() {
            closed = true;
          },
        }),
      ),
  );
  for await (const page of store.read(HERE, signal).pages) {
    expect(page).toHaveLength(250);
    break;
  }
  expect(closed).toBe(true);
});

test('a signal ends the reading of a file that says nothing', async () => {
  const stop = new AbortController();
  const { store } = openBulk(() => {
    queueMicrotask(() => stop.abort(new Error('stopped')));
    return new Response(
      new ReadableStream({
        start(controller) {
          stop.signal.addEventListener('abort', () => controller.error(stop.signal.reason));
        },
      }),
    );
  });
  const { pages } = store.read(HERE, stop.signal);
  await expect(pages[Symbol.asyncIterator]().next()).rejects.toThrow('stopped');
});

const { id: _id, ...noId } = row(1);

test.each([
  ['no JSON', '{"id":'],
  ['null', 'null'],
  ['a list', '[]'],
  ['no id', JSON.stringify(noId)],
  ['a price as a number', JSON.stringify({ ...row(1), price: 9.9 })],
  ['no product', JSON.stringify({ ...row(1), product: null })],
  [
    'an odd unit',
    JSON.stringify({
      ...row(1),
      inventoryItem: { ...row(1).inventoryItem, measurement: { weight: { value: 1, unit: 'STONES' } } },
    }),
  ],
  [
    'no quantity',
    JSON.stringify({
      ...row(1),
      inventoryItem: { ...row(1).inventoryItem, inventoryLevel: { quantities: [] } },
    }),
  ],
  [
    'quantities of another kind',
    JSON.stringify({
      ...row(1),
      inventoryItem: { ...row(1).inventoryItem, inventoryLevel: { quantities: 5 } },
    }),
  ],
])('a line with %s is a fault, not a crash', async (_what, line) => {
  const { skus } = openBulk(() => new Response(`${lines(1)}${line}\n`));
  await expect(skus()).rejects.toEqual(unavailable);
});

test('a line without end is given up', async () => {
  const bytes = new Uint8Array(64 * 1024).fill(97);
  let sent = 0;
  const { skus } = openBulk(
    () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 1;
            controller.enqueue(bytes);
          },
        }),
      ),
  );
  await expect(skus()).rejects.toEqual(unavailable);
  expect(sent).toBeLessThan(30);
});
