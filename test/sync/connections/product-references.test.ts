import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../../src/identity/caller.ts';
import { createProductFiller } from '../../../src/sync/connections/product-references.ts';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
  });
});
afterAll(() => app.close());

/** An account with the demo store, and the address of a product in it. */
async function newShop() {
  const caller = await newBareCaller(app);
  const call = useTools(app, caller);
  const { id } = await call('connect_store', { domain: 'demo.myshopify.com', store_access_token: 'any' });
  return { caller, call, store: String(id), mug: `product:${id}/stoneware-mug` };
}

describe('a reference to a product', () => {
  test('fills an email with the product and its values', async () => {
    const { call, mug } = await newShop();
    const html =
      '<h1>{{product.title}}</h1><p>{{price}} {{product.currency}}</p>{{#each product.variants}}{{sku}} {{/each}}';
    const data = { product: mug, price: `${mug}#price` };
    const rendered = await call('render_template', { html, data });
    expect(rendered['html']).toBe('<h1>Stoneware mug</h1><p>16.5 EUR</p>MUG-SAND MUG-SEA MUG-COAL ');
    expect(rendered['missing_variables']).toEqual([]);
  });

  test('may name the product by its ID', async () => {
    const { call, store } = await newShop();
    const { items } = await call('list_products', { store_id: store, q: 'teapot' });
    const [{ id }] = items as [{ id: string }];
    const data = { title: `product:${store}/${id}#title` };
    expect(await call('render_template', { html: '{{title}}', data })).toMatchObject({
      html: 'Teapot with bamboo handle',
    });
  });

  test('fills rows of a batch; a row whose product is gone fails alone', async () => {
    const { call, store, mug } = await newShop();
    await call('create_template', { name: 'offer', html: '<p>{{p.title}}</p>' });
    const rows = [{ data: { p: mug } }, { data: { p: `product:${store}/gone` } }, { data: { p: mug } }];
    const { items } = await call('render_batch', { template: 'offer', branch: 'main', rows });
    expect(items).toMatchObject([
      { html: '<p>Stoneware mug</p>' },
      { error: { code: 'not_found' } },
      { html: '<p>Stoneware mug</p>' },
    ]);
  });

  test('is kept in a fixture as the values it had', async () => {
    const { call, mug } = await newShop();
    await call('create_template', { name: 'offer', html: '<p>{{title}}</p>' });
    await call('save_fixture', { template: 'offer', fixture: 'mug', data: { title: `${mug}#title` } });
    expect(await call('list_fixtures', { template: 'offer' })).toMatchObject({
      items: [{ data: { title: 'Stoneware mug' } }],
    });
  });

  test('fills a video and the topic of hooks', async () => {
    const { call, mug } = await newShop();
    const data = { name: `${mug}#title`, price: `${mug}#price`, currency: `${mug}#currency` };
    const video = { title: 'A mug', template: 'product', duration: 0.5, width: 64, height: 64, data };
    expect(await call('create_video', video)).toMatchObject({ status: 'pending' });
    const hooks = { topic: mug, count: 3, provider: 'builtin', language: 'en' };
    expect(await call('generate_hooks', hooks)).toMatchObject({ topic: 'Stoneware mug (16.5 EUR)' });
  });
});

describe('a reference that cannot be read', () => {
  const render = (call: Awaited<ReturnType<typeof newShop>>['call'], value: string) =>
    call('render_template', { html: '{{value}}', data: { value } });

  test('names the product that is gone, and where to look', async () => {
    const { call, store } = await newShop();
    await expect(render(call, `product:${store}/gone`)).rejects.toMatchObject({
      key: 'not_found.product',
      params: { product: 'gone', domain: 'demo.myshopify.com' },
    });
  });

  test('names the store that is not connected, also where it is connected in another account', async () => {
    const { mug } = await newShop();
    const { call } = await newShop();
    await expect(render(call, mug)).rejects.toMatchObject({ key: 'not_found.product_store' });
    await expect(render(call, 'product:sto_nothere/mug')).rejects.toMatchObject({
      key: 'not_found.product_store',
    });
  });

  test('names a value that products do not have', async () => {
    const { call, mug } = await newShop();
    await expect(render(call, `${mug}#constructor`)).rejects.toMatchObject({
      key: 'validation_failed.product_part',
    });
  });

  test('takes the scope that reading products takes', async () => {
    const { caller, mug } = await newShop();
    const renderer = { ...caller, scopes: SCOPES.filter((scope) => scope !== 'sync:read') };
    const call = useTools(app, renderer);
    await expect(render(call, mug)).rejects.toMatchObject({ key: 'insufficient_scope.key' });
    expect(await render(call, 'no reference')).toMatchObject({ html: 'no reference' });
  });
});

test('texts that only look like a reference stay', async () => {
  const fill = createProductFiller(() => Promise.reject(new Error('nothing is read')));
  const data = [
    'product:mug',
    'see product:sto_1/mug',
    'product:sto_1/a mug',
    'product: new',
    { a: null, b: 1 },
  ];
  expect(await fill(data)).toBe(data);
});

test('one call names at most 100 products, each read once', async () => {
  const reads: string[] = [];
  const fill = createProductFiller(async (_store, handle) => {
    reads.push(handle);
    return { domain: 'demo.myshopify.com', product: { ...MUG, handle } };
  });
  const references = (count: number) =>
    Array.from({ length: count }, (_, nth) => `product:sto_1/p${nth}#handle`);
  expect(await fill([...references(100), ...references(100)])).toHaveLength(200);
  expect(reads).toHaveLength(100);
  await expect(fill(['product:sto_1/one-more'])).rejects.toMatchObject({ key: 'too_large.products' });
});

const MUG = {
  ...{ id: 'gid://shopify/Product/1', title: 'Mug', handle: 'mug', status: 'active', price: '9.00' },
  ...{ currency: 'EUR', image: null, url: null, variants: [] },
};
