import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../../src/identity/caller.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../../support/app.ts';

let app: TestApp;
let caller: Caller;
let call: Tools;
let model: Tools;

beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  caller = await newBareCaller(app);
  call = useTools(app, caller);
  model = useTools(app, caller, { byModel: true, ask: async () => {} });
  await call('create_template', { name: 'frame', kind: 'layout', html: '<main>{{> @partial-block}}</main>' });
  await call('create_template', welcome);
  await call('update_template', { name: 'welcome', subject: 'A draft, {{name}}' });
});
afterAll(() => app.close());

const schema = { type: 'object', properties: { shop: { type: 'string', default: 'Fern & Clay' } } };
const welcome = {
  name: 'welcome',
  html: '<p>Hello {{name}}, from {{shop}}</p>',
  subject: 'Welcome, {{name}}',
  preheader: 'Good to have you',
  text: 'Hello {{name}}',
  layout: 'frame',
  schema,
  description: 'Sent after sign-up',
  tags: ['onboarding'],
  fixtures: { ana: { name: 'Ana' } },
};

const read = (name: string) => call('get_template', { name, include: 'html' });

test('a Black Friday mail from our welcome one: the copy has all that the call does not change', async () => {
  const created = await model('create_template', {
    from: 'welcome@production',
    name: 'black-friday',
    subject: '20 % off, {{name}}',
    tags: ['sale'],
  });
  expect(created).toMatchObject({
    name: 'black-friday',
    version: 'v1.0.0',
    kind: 'template',
    tags: ['sale'],
  });
  expect(await read('black-friday')).toMatchObject({
    html: '<p>Hello {{name}}, from {{shop}}</p>',
    subject: '20 % off, {{name}}',
    preheader: 'Good to have you',
    text: 'Hello {{name}}',
    layout: 'frame',
    schema,
    description: '',
    variables: [
      { name: 'name', required: true },
      { name: 'shop', required: false, default: 'Fern & Clay' },
    ],
  });
  expect(await call('list_fixtures', { template: 'black-friday' })).toMatchObject({
    items: [{ name: 'ana', data: { name: 'Ana' } }],
  });
  expect(await call('get_version', { template: 'black-friday', version: 'v1.0' })).toMatchObject({
    message: 'Copy of welcome v1.0.0',
    parents: [],
  });
});

test.each([
  ['welcome', 'A draft, {{name}}'],
  ['welcome@main', 'A draft, {{name}}'],
  ['welcome@v1.0', 'Welcome, {{name}}'],
  ['welcome@staging', 'Welcome, {{name}}'],
])('a copy of %s has the subject %s', async (from, subject) => {
  await call('create_template', { from, name: 'copy' });
  expect(await read('copy')).toMatchObject({ subject });
});

test('a copy stays as it is when the original changes', async () => {
  await call('create_template', { from: 'welcome', name: 'copy' });
  await call('update_template', { name: 'welcome', html: '<p>Other</p>' });
  expect(await read('copy')).toMatchObject({ html: '<p>Hello {{name}}, from {{shop}}</p>' });
});

test('a copy adds its fixtures to the ones copied', async () => {
  await call('create_template', { from: 'welcome', name: 'copy', fixtures: { bo: { name: 'Bo' } } });
  expect(await call('list_fixtures', { template: 'copy' })).toMatchObject({
    items: [{ name: 'ana' }, { name: 'bo' }],
  });
});

test('a layout is copied as a layout', async () => {
  expect(await call('create_template', { from: 'frame', name: 'frame-2' })).toMatchObject({ kind: 'layout' });
});

test.each([
  ['welcom', 'not_found.template_close'],
  ['welcome@holiday', 'not_found.branch'],
  ['welcome@v9.0', 'not_found.version'],
])('a copy of %s, which does not exist, is not found', async (from, key) => {
  await expect(call('create_template', { from, name: 'copy' })).rejects.toMatchObject({ key });
});

test('a name that looks like another is the other, however its accents are written', async () => {
  const [composed, apart] = ['caf\u00e9', 'cafe\u0301'];
  expect(await call('create_template', { name: apart, html: '<p>Menu</p>' })).toMatchObject({
    name: composed,
  });
  await expect(call('create_template', { name: composed, html: '<p>Menu</p>' })).rejects.toMatchObject({
    code: 'name_taken',
  });
  for (const template of [composed, apart])
    expect(await call('get_template', { template })).toMatchObject({ name: composed });
});

test('a template needs html or one to copy', async () => {
  await expect(call('create_template', { name: 'empty' })).rejects.toMatchObject({
    key: 'validation_failed.input',
    errors: [{ loc: ['body', 'html'], msg: 'is required, unless you set from to a template to copy' }],
  });
});

test('what a model creates is in no environment, and the answer says how to show it', async () => {
  const created = await model('create_template', { name: 'sale', html: '<p>{{name}}</p>' });
  expect(created).toMatchObject({
    environments: {},
    warnings: [{ code: 'not_live', message: expect.stringContaining('POST /v1/templates/sale/promote') }],
  });
  expect(await model('promote_template', { template: 'sale', to: 'staging' })).toMatchObject({
    status: 'promoted',
    version: 'v1.0.0',
  });
  expect(await model('promote_template', { template: 'sale', to: 'production' })).toMatchObject({
    status: 'promoted',
    version: 'v1.0.0',
  });
});

test('a model shows a new template at once where it says so', async () => {
  const input = { name: 'sale', html: '<p>a</p>', environments: ['staging'] };
  expect(await model('create_template', input)).toMatchObject({
    environments: { staging: 'v1.0.0' },
    warnings: [],
  });
});

test('others show it in both environments, unless they name fewer', async () => {
  expect(await call('create_template', { name: 'one', html: 'a' })).toMatchObject({
    environments: { staging: 'v1.0.0', production: 'v1.0.0' },
    warnings: [],
  });
  expect(await call('create_template', { name: 'two', html: 'a', environments: [] })).toMatchObject({
    environments: {},
    warnings: [{ code: 'not_live' }],
  });
});

test('what a model imports is in no environment either', async () => {
  const file = { name: 'Trial ends', html: '<p>Hi {{name}}</p>' };
  expect(await model('import_templates', { payload: file })).toMatchObject({ environments: [] });
  expect(await call('list_templates', { q: 'trial' })).toMatchObject({ items: [{ environments: {} }] });
});

test('a bundle brought in by a model shows nothing, unless it names the environments', async () => {
  const signal = new AbortController().signal;
  const request = { names: ['frame'], assets: true, mayReadAssets: true, signal, progress: () => {} };
  const bytes = await app.templates.bundles.export(caller.accountId, request, ({ path }) => readFile(path));
  const bundle = { payload: bytes.toString('base64'), source: 'zip' };
  await model('import_templates', { ...bundle, prefix: 'a-' });
  await model('import_templates', { ...bundle, prefix: 'b-', environments: ['staging'] });
  await call('import_templates', { ...bundle, prefix: 'c-' });
  expect(await call('list_templates', { q: '-frame' })).toMatchObject({
    items: [
      { name: 'a-frame', environments: {} },
      { name: 'b-frame', environments: { staging: 'v1.0.0' } },
      { name: 'c-frame', environments: { staging: 'v1.0.0', production: 'v1.0.0' } },
    ],
  });
});
