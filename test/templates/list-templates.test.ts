import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';

let app: TestApp;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
  call = useTools(app, await newBareCaller(app));
  await call('create_template', { name: 'footer', kind: 'partial', html: '<p>{{shop.address}}</p>' });
  await call('create_template', { name: 'frame', kind: 'layout', html: '{{> @partial-block}}{{> footer}}' });
  await call('create_template', { name: 'sale', html: '<p>{{coupon}}</p>{{> footer}}' });
  await call('create_template', {
    name: 'receipt',
    html: '{{#each items}}{{price}}{{/each}}',
    layout: 'frame',
  });
  await call('create_template', { name: 'news', html: '<p>News</p>' });
  await call('create_branch', { template: 'news', name: 'autumn' });
  await call('update_template', { name: 'news', branch: 'autumn', html: '<p>{{coupon.code}}</p>' });
  await call('create_template', { name: 'old', html: '<p>{{coupon}}</p>' });
  await call('update_template', { name: 'old', html: '<p>Nothing</p>' });
  await call('promote_template', { template: 'old', to: 'staging' });
  await call('promote_template', { template: 'old', to: 'production' });
  await call('create_template', { name: 'couponed', html: '<p>{{coupons}}</p>', description: 'sale' });
});
afterAll(() => app.close());

async function names(filter: Record<string, unknown>): Promise<string[]> {
  const { items } = (await call('list_templates', filter)) as { items: { name: string }[] };
  return items.map(({ name }) => name);
}

test.each([
  ['reads coupon on a branch or in an environment', { variable: 'coupon' }, ['news', 'sale']],
  ['reads a part of it', { variable: 'coupon.code' }, ['news']],
  ['reads it in a list', { variable: 'items' }, ['receipt']],
  ['reads it through a partial', { variable: 'shop.address' }, ['footer', 'frame', 'receipt', 'sale']],
  ['reads something within', { variable: 'shop' }, ['footer', 'frame', 'receipt', 'sale']],
  ['uses a partial, itself or by its layout', { uses: 'footer' }, ['frame', 'receipt', 'sale']],
  ['uses a layout', { uses: 'frame' }, ['receipt']],
  ['uses one and reads another', { uses: 'footer', variable: 'coupon' }, ['sale']],
  ['is also found by its words', { variable: 'coupon', q: 'SAL' }, ['sale']],
  ['is also of a kind', { uses: 'footer', kind: 'layout' }, ['frame']],
  ['reads nothing of the kind', { variable: 'coup' }, []],
  ['uses nothing of the kind', { uses: 'foot' }, []],
])('lists what %s', async (_case, filter, found) => {
  expect(await names(filter)).toEqual(found);
});

test('pages go on within what is searched for', async () => {
  const first = await call('list_templates', { uses: 'footer', limit: 2 });
  expect(first).toMatchObject({ items: [{ name: 'frame' }, { name: 'receipt' }] });
  const cursor = first['next_cursor'];
  expect(await call('list_templates', { uses: 'footer', limit: 2, cursor })).toMatchObject({
    items: [{ name: 'sale' }],
    next_cursor: null,
  });
});

test('a search is as many statements as a list', async () => {
  app.queriesSince();
  await call('list_templates', {});
  const list = app.queriesSince();
  await call('list_templates', { variable: 'coupon', uses: 'footer' });
  expect(app.queriesSince()).toBe(list);
});
