import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../support/app.ts';
import { givePlan } from '../support/plans.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const BRAND = {
  name: 'Fern & Clay',
  colors: { primary: '#12543f', accent: '#d3f08a' },
  links: { website: 'https://fernandclay.example' },
};

async function newAccount(brand?: Record<string, unknown>) {
  const caller = await newBareCaller(app);
  const call = useTools(app, caller);
  if (brand) await call('save_brand', brand);
  return { caller, call };
}

test('a template prints the brand in text, addresses and styles', async () => {
  const { call } = await newAccount(BRAND);
  const html =
    '<a href="{{@brand.links.website}}" style="color:{{@brand.colors.link}};background:{{@brand.colors.accent}}">{{@brand.name}}</a>';
  expect(
    await call('render_template', { html, subject: '{{@brand.name}} says hello', data: {} }),
  ).toMatchObject({
    html: '<a href="https://fernandclay.example" style="color:#12543f;background:#d3f08a">Fern &amp; Clay</a>',
    subject: 'Fern & Clay says hello',
    missing_variables: [],
    unused_variables: [],
    defaulted_variables: [],
    warnings: [],
  });
});

test('what can be read on a color is there with it', async () => {
  const html = '{{@brand.colors.on_primary}} {{@brand.colors.on_accent}} {{@brand.colors.link}}';
  const { call } = await newAccount(BRAND);
  expect(await call('render_template', { html, data: {} })).toMatchObject({
    html: '#ffffff #111111 #12543f',
  });
  await call('save_brand', { colors: { primary: '#fff200', accent: null, text: '#222222' } });
  expect(await call('render_template', { html, data: {} })).toMatchObject({
    html: '#111111  #222222',
    missing_variables: ['@brand.colors.on_accent'],
  });
});

test('a brand that lacks what a template prints is handled like data that lacks it', async () => {
  const { call } = await newAccount({ name: 'Fern & Clay' });
  const mail = {
    html: '<p>{{@brand.name}}, {{@brand.address}}{{#if @brand.footer}}, {{@brand.footer}}{{/if}}</p>',
  };
  expect(await call('render_template', { ...mail, data: {} })).toMatchObject({
    html: '<p>Fern &amp; Clay, </p>',
    missing_variables: ['@brand.address'],
  });
  expect(await call('render_template', { ...mail, data: {}, on_missing: 'keep' })).toMatchObject({
    html: '<p>Fern &amp; Clay, {{@brand.address}}</p>',
  });
  await expect(call('render_template', { ...mail, data: {}, on_missing: 'error' })).rejects.toMatchObject({
    key: 'missing_variables.render',
    params: { names: '@brand.address' },
  });
});

test('an account without a brand sees fallbacks, and no variable of the brand among those it must send', async () => {
  const { call } = await newAccount();
  const html = '<p>{{default @brand.name shop}}</p>';
  const created = await call('create_template', { name: 'greeting', html });
  expect(created['variables']).toMatchObject([{ name: 'shop' }]);
  expect(await call('render_template', { template: 'greeting', data: { shop: 'Bakery' } })).toMatchObject({
    html: '<p>Bakery</p>',
    missing_variables: [],
    unused_variables: [],
    defaulted_variables: [],
  });
});

test('data cannot pass for the brand', async () => {
  const { call } = await newAccount({ name: 'Fern & Clay' });
  const data = { '@brand': { name: 'Evil' }, brand: { name: 'Evil' } };
  expect(await call('render_template', { html: '<p>{{@brand.name}}</p>', data })).toMatchObject({
    html: '<p>Fern &amp; Clay</p>',
  });
});

test.each([
  ['{{@brand.nmae}}', '@brand.nmae'],
  ['{{#if @brand.colors.secondary}}x{{/if}}', '@brand.colors.secondary'],
  ['{{default @brand.voice.tone "x"}}', '@brand.voice.tone'],
])('%s is refused when it is saved, with the names there are', async (html, name) => {
  const { call } = await newAccount();
  await expect(call('create_template', { name: 'wrong', html })).rejects.toMatchObject({
    code: 'template_invalid',
    errors: [
      { key: 'template_invalid.brand_name', params: { name, known: expect.stringContaining('@brand.name') } },
    ],
  });
});

test('layouts and partials print the brand too, in blocks of any depth', async () => {
  const { call } = await newAccount({ ...BRAND, languages: ['en', 'pt'] });
  await call('create_template', {
    name: 'footer',
    kind: 'partial',
    html: '{{#each @brand.links}}<i>{{@key}}={{this}}</i>{{/each}}{{#with @brand}}{{name}}{{/with}}{{#each @brand.languages}} {{this}}{{/each}}',
  });
  await call('create_template', {
    name: 'frame',
    kind: 'layout',
    html: '<b>{{@brand.name}}</b>{{> @partial-block}}{{> footer}}',
  });
  await call('create_template', {
    name: 'mail',
    layout: 'frame',
    html: '{{#each items}}<p>{{this}} {{@brand.name}}</p>{{/each}}',
  });
  expect(await call('render_template', { template: 'mail', data: { items: ['A'] } })).toMatchObject({
    html: '<b>Fern &amp; Clay</b><p>A Fern &amp; Clay</p><i>website=https://fernandclay.example</i>Fern &amp; Clay en pt',
    missing_variables: [],
  });
});

test('a change of the brand is in the next render, of stored templates too', async () => {
  const { call } = await newAccount({ name: 'Before' });
  await call('create_template', { name: 'mail', html: '<p>{{@brand.name}}</p>' });
  const rendered = async () => (await call('render_template', { template: 'mail', data: {} }))['html'];
  expect(await rendered()).toBe('<p>Before</p>');
  await call('save_brand', { name: 'After' });
  expect(await rendered()).toBe('<p>After</p>');
});

test('a change on one node is in the next render on another', async () => {
  const { call, caller } = await newAccount({ name: 'Before' });
  await call('create_template', { name: 'mail', html: '<p>{{@brand.name}}</p>' });
  const rendered = async () => (await call('render_template', { template: 'mail', data: {} }))['html'];
  expect(await rendered()).toBe('<p>Before</p>');
  // What another node does: the rows change, and this node hears of it by the notification alone.
  const { sql } = app.database;
  const heard = new Promise<void>((resolve) => {
    void sql.listen('brands', (payload) => {
      if (payload === caller.accountId) resolve();
    });
  });
  await sql`update brands set fields = ${sql.json({ name: 'After' })} where account_id = ${caller.accountId}`;
  await sql`select pg_notify('brands', ${caller.accountId})`;
  await heard;
  expect(await rendered()).toBe('<p>After</p>');
  expect(await call('render_template', { html: '{{@brand.name}}', data: {} })).toMatchObject({
    html: 'After',
  });
});

test('the brand costs a cold render no statement, and a warm one none', async () => {
  const { call } = await newAccount(BRAND);
  await call('create_template', { name: 'logo', kind: 'partial', html: '<b>{{@brand.name}}</b>' });
  await call('create_template', { name: 'frame', kind: 'layout', html: '{{> logo}}{{> @partial-block}}' });
  await call('create_template', { name: 'mail', layout: 'frame', html: '<p>{{@brand.name}}</p>' });
  await call('render_template', { html: 'warms up the rate limiter', data: {} });
  app.queriesSince();
  await call('render_template', { template: 'mail', data: {} });
  expect(app.queriesSince()).toBe(3);
  await call('render_template', { template: 'mail', data: {} });
  expect(app.queriesSince()).toBe(0);
});

test('with several brands, a call names the one it shows', async () => {
  const { caller, call } = await newAccount(BRAND);
  await givePlan(app, caller.accountId, 'enterprise');
  await call('save_brand', { brand: 'outlet', name: 'Outlet' });
  await call('create_template', { name: 'mail', html: '<p>{{@brand.name}}</p>' });
  const mail = { template: 'mail', rows: [{ data: {} }] };
  expect(await call('render_batch', { ...mail, brand: 'outlet' })).toMatchObject({
    items: [{ html: '<p>Outlet</p>' }],
  });
  expect(await call('render_batch', mail)).toMatchObject({ items: [{ html: '<p>Fern &amp; Clay</p>' }] });
  await expect(call('render_batch', { ...mail, brand: 'none' })).rejects.toMatchObject({
    key: 'not_found.brand',
  });
});

test('previews, exports, batches and lint show the brand', async () => {
  const { call } = await newAccount(BRAND);
  const page =
    '<!doctype html><html lang="en"><head><title>x</title></head><body>{{@brand.name}} {{name}}</body></html>';
  await call('create_template', { name: 'mail', html: page });
  const { items } = await call('render_batch', { template: 'mail', rows: [{ data: { name: 'Ana' } }] });
  expect(items).toMatchObject([{ html: expect.stringContaining('Fern &amp; Clay Ana') }]);
  const exported = await call('export_template', { template: 'mail', data: { name: 'Ana' }, format: 'html' });
  expect(exported).toMatchObject({ missing_variables: [] });
  expect(await call('lint_template', { template: 'mail', data: { name: 'Ana' } })).toMatchObject({
    missing_variables: [],
  });
});
