import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';

// What counts is every statement the driver sends, as `onQuery` reports them, begin and commit included.
// The rate limiter takes its tokens from the database by the hundred: the first call of an account is not counted.

let app: TestApp;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
  call = useTools(app, await newBareCaller(app));
  await call('create_template', { name: 'logo', kind: 'partial', html: '<b>{{shop}}</b>' });
  await call('create_template', { name: 'footer', kind: 'partial', html: '<p>{{address}}</p>' });
  await call('create_template', { name: 'frame', kind: 'layout', html: '<div>{{> @partial-block}}</div>' });
  const html = '<div>{{> logo}}{{> @partial-block}}</div>';
  await call('create_template', { name: 'branded', kind: 'layout', html });
  await call('create_template', { name: 'mail', layout: 'frame', html: '<p>{{name}}</p>{{> footer}}' });
  await call('create_template', {
    name: 'branded mail',
    layout: 'branded',
    html: '<p>{{name}}</p>{{> footer}}',
  });
  await call('render_template', { html: 'warms up the rate limiter', data: {} });
});

afterAll(() => app.close());

async function statementsOf(name: string, input: Record<string, unknown>): Promise<number> {
  app.queriesSince();
  await call(name, input);
  return app.queriesSince();
}

test('a template with a layout and a partial is rendered cold with 2 statements: the version, and its parts', async () => {
  expect(await statementsOf('render_template', { template: 'mail', data: {} })).toBe(2);
});

test('the partials of its layout cost one statement more, however many there are', async () => {
  expect(await statementsOf('render_template', { template: 'branded mail', data: {} })).toBe(3);
});

test.each([{ version: 'v1.0' }, { branch: 'main' }, { environment: 'staging' }, { version: 'latest' }])(
  'so is the version chosen by %o',
  async (choice) => {
    expect(await statementsOf('render_template', { template: 'mail', data: {}, ...choice })).toBe(2);
  },
);

test('a template rendered before is rendered again without a statement', async () => {
  await call('render_template', { template: 'mail', data: {} });
  expect(await statementsOf('render_template', { template: 'mail', data: {} })).toBe(0);
});

test('a change to a template costs at most 12 statements', async () => {
  const change = { name: 'branded mail', html: '<p>Hello {{name}}</p>{{> footer}}', tags: ['greeting'] };
  expect(await statementsOf('update_template', change)).toBeLessThanOrEqual(12);
});

test('a change costs no more when the template has a long history', async () => {
  const change = (count: number) => ({ name: 'mail', html: `<p>{{name}} ${count}</p>{{> footer}}` });
  const first = await statementsOf('update_template', change(0));
  for (let count = 1; count <= 20; count++) await call('update_template', change(count));
  expect(await statementsOf('update_template', change(21))).toBe(first);
});

test('a change of the metadata alone costs at most 12 statements', async () => {
  expect(
    await statementsOf('update_template', { name: 'mail', description: 'Says hello' }),
  ).toBeLessThanOrEqual(12);
});
