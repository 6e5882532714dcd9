import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../../src/identity/caller.ts';
import {
  newBareCaller,
  newCaller,
  openTestApp,
  type TestApp,
  type Tools,
  useTools,
} from '../../support/app.ts';

let app: TestApp;
let caller: Caller;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  caller = await newBareCaller(app);
  call = useTools(app, caller);
});
afterAll(() => app.close());

const create = (input: object) => call('create_template', input as Record<string, unknown>);
const render = (input: object) => call('render_template', input as Record<string, unknown>);

test('a render answers the finished mail and what the data lacked and had too much', async () => {
  await create({
    name: 'hello',
    html: '<p>Hello {{name}}, you have {{count}} points{{#if vip}}!{{/if}}</p>',
    subject: 'Hi {{name}}',
    preheader: 'For {{city}}',
    text: 'Hello {{name}}',
    schema: { type: 'object', properties: { city: { type: 'string', default: 'you' } } },
  });
  expect(await render({ template: 'hello', data: { name: 'Ana & Co', age: 30 } })).toEqual({
    template: 'hello',
    version: 'v1.0.0',
    environment: 'production',
    html: '<p>Hello Ana &amp; Co, you have  points</p>',
    subject: 'Hi Ana & Co',
    preheader: 'For you',
    text: 'Hello Ana & Co',
    missing_variables: ['count'],
    unused_variables: ['age'],
    defaulted_variables: ['city'],
    type_mismatches: [],
    warnings: [],
    bytes: 43,
    render_ms: expect.any(Number),
  });
});

test('data that contradicts the schema is named, and refused with on_missing error', async () => {
  await create({
    name: 'receipt-line',
    html: '<p>{{price}} {{when}} {{currency total "EUR"}} {{formatDate day}}</p>',
    schema: {
      type: 'object',
      properties: { price: { type: 'number' }, when: { type: 'string', format: 'date' } },
      required: ['price'],
    },
  });
  const wrong = {
    template: 'receipt-line',
    data: { price: 'abc', when: { y: 1 }, total: 'nine', day: 'not a date' },
  };
  const mismatches = [
    { name: 'price', expected: 'number', got: 'string' },
    { name: 'when', expected: 'string', got: 'object' },
  ];
  const { type_mismatches, warnings } = await render(wrong);
  expect(type_mismatches).toEqual(mismatches);
  expect((warnings as { message: string }[]).map(({ message }) => message)).toEqual([
    'price should be of type number, but the data has string.',
    'when should be of type string, but the data has object.',
    "currency printed nothing, because it can't use this value: nine. Correct the data.",
    "formatDate printed nothing, because it can't use this value: not a date. Correct the data.",
  ]);
  await expect(render({ ...wrong, on_missing: 'error' })).rejects.toMatchObject({
    key: 'type_mismatch.render',
    status: 422,
    params: { names: 'price (string, not number), when (object, not string)' },
    data: { missing_variables: [], type_mismatches: mismatches },
  });
});

test('production is what a plain render shows, until something is promoted', async () => {
  await create({ name: 'hello', html: 'one' });
  await call('update_template', { name: 'hello', html: 'two' });
  expect(await render({ template: 'hello' })).toMatchObject({
    html: 'one',
    version: 'v1.0.0',
    environment: 'production',
  });
  expect(await render({ template: 'hello', branch: 'main' })).toMatchObject({
    html: 'two',
    version: 'v1.0.1',
    branch: 'main',
  });
  expect(await render({ template: 'hello', version: 'v1.0.1' })).toMatchObject({
    html: 'two',
    version: 'v1.0.1',
  });
  await call('promote_template', { template: 'hello', to: 'production', from: 'main' });
  expect(await render({ template: 'hello' })).toMatchObject({ html: 'two', environment: 'production' });
});

test('two selectors, two sources or two kinds of data are refused', async () => {
  await create({ name: 'hello', html: 'one' });
  const refused = [
    { template: 'hello', version: 'v1.0', branch: 'main' },
    { template: 'hello', html: 'x' },
    {},
    { html: 'x', environment: 'staging' },
    { template: 'hello', data: {}, fixture: 'a' },
  ];
  for (const input of refused)
    await expect(render(input)).rejects.toMatchObject({ code: 'validation_failed' });
});

test('missing variables may be an error, or stay visible', async () => {
  await create({ name: 'hello', html: '<p>{{name}} {{user.city}}</p>' });
  await expect(render({ template: 'hello', on_missing: 'error' })).rejects.toMatchObject({
    code: 'missing_variables',
    data: { missing_variables: ['name', 'user.city'] },
  });
  expect(await render({ template: 'hello', on_missing: 'keep' })).toMatchObject({
    html: '<p>{{name}} {{user.city}}</p>',
  });
});

test('an address that is not one is replaced, and the render says so in the language of the caller', async () => {
  await create({ name: 'link', html: '<a href="{{url}}">go</a>' });
  const spanish = useTools(app, caller, { locale: 'es' });
  const input = { template: 'link', data: { url: 'javascript:alert(1)' } };
  for (const tools of [call, spanish]) {
    expect(await tools('render_template', input)).toMatchObject({
      html: '<a href="#">go</a>',
      warnings: [{ code: 'blocked_url', message: expect.stringContaining('url') }],
    });
  }
});

test('a fixture stands in for data', async () => {
  await create({ name: 'hello', html: '<p>{{name}}</p>', fixtures: { ana: { name: 'Ana' } } });
  expect(await render({ template: 'hello', fixture: 'ana' })).toMatchObject({ html: '<p>Ana</p>' });
  await expect(render({ template: 'hello', fixture: 'bo' })).rejects.toMatchObject({ code: 'not_found' });
});

test('a layout stands around, partials stand within, and their variables count', async () => {
  await create({ name: 'frame', kind: 'layout', html: '<body>{{> @partial-block}}<i>{{shop}}</i></body>' });
  await create({ name: 'row', kind: 'partial', html: '<li>{{title}}</li>' });
  await create({ name: 'list', layout: 'frame', html: '<ul>{{#each items}}{{> row}}{{/each}}</ul>' });
  expect(
    await render({ template: 'list', data: { shop: 'Lace', items: [{ title: 'A' }, { title: 'B' }] } }),
  ).toMatchObject({
    html: '<body><ul><li>A</li><li>B</li></ul><i>Lace</i></body>',
    missing_variables: [],
    unused_variables: [],
  });
  expect(await render({ template: 'list', data: { items: [{}] } })).toMatchObject({
    missing_variables: ['items[].title', 'shop'],
  });
});

test('a version renders with the parts it was saved with, an environment with the parts that environment shows', async () => {
  await create({ name: 'closing', kind: 'partial', html: 'old' });
  await create({ name: 'hello', html: '{{> closing}}' });
  await call('update_template', { name: 'closing', html: 'new' });
  expect(await render({ template: 'hello', version: 'v1.0.0' })).toMatchObject({ html: 'old' });
  expect(await render({ template: 'hello' })).toMatchObject({ html: 'old' });
  expect(await render({ template: 'hello', branch: 'main' })).toMatchObject({ html: 'new' });
  await call('promote_template', { template: 'closing', to: 'production', from: 'main' });
  expect(await render({ template: 'hello' })).toMatchObject({ html: 'new' });
  expect(await render({ template: 'hello', version: 'v1.0.0' })).toMatchObject({ html: 'old' });
});

test('a part that does not exist, or is of another kind, is refused at save', async () => {
  await create({ name: 'plain', html: 'x' });
  for (const input of [{ html: '{{> nobody}}' }, { html: '{{> plain}}' }, { html: 'x', layout: 'plain' }]) {
    await expect(create({ name: 'hello', ...input })).rejects.toMatchObject({ code: 'template_invalid' });
  }
});

test('a template in use as a part cannot be deleted', async () => {
  await create({ name: 'closing', kind: 'partial', html: 'x' });
  await create({ name: 'hello', html: '{{> closing}}' });
  await expect(call('delete_template', { name: 'closing' })).rejects.toMatchObject({
    key: 'conflict.in_use',
    params: { users: 'hello' },
  });
  await call('delete_template', { name: 'hello' });
  expect(await call('delete_template', { name: 'closing' })).toEqual({ deleted: true });
});

test('what used a part can still be rendered and shown again after the part is deleted', async () => {
  await create({ name: 'closing', kind: 'partial', html: 'x' });
  await create({ name: 'hello', html: '{{> closing}}' });
  await call('update_template', { name: 'hello', html: 'y' });
  await call('promote_template', { template: 'hello', to: 'staging' });
  await call('promote_template', { template: 'hello', to: 'production' });
  await call('delete_template', { name: 'closing' });
  expect(await render({ template: 'hello', version: 'v1.0.0' })).toMatchObject({ html: 'x' });
  await call('rollback_template', { template: 'hello', environment: 'production' });
  expect(await render({ template: 'hello' })).toMatchObject({ html: 'x', environment: 'production' });
});

test('a deleted template is gone for every call, and comes back whole', async () => {
  await create({ name: 'hello', html: 'x' });
  await call('update_template', { name: 'hello', html: 'y' });
  await call('delete_template', { name: 'hello' });
  await expect(render({ template: 'hello' })).rejects.toMatchObject({ code: 'not_found' });
  expect(await call('restore_template', { name: 'hello' })).toMatchObject({ version: 'v1.0.1' });
  expect(await render({ template: 'hello' })).toMatchObject({ html: 'x' });
  await expect(call('restore_template', { name: 'hello' })).rejects.toMatchObject({ code: 'not_found' });
  await call('delete_template', { name: 'hello' });
  await create({ name: 'hello', html: 'another' });
  await expect(call('restore_template', { name: 'hello' })).rejects.toMatchObject({ code: 'name_taken' });
});

test('a warm render asks the database nothing', async () => {
  await create({ name: 'frame', kind: 'layout', html: '<body>{{> @partial-block}}</body>' });
  await create({ name: 'hello', layout: 'frame', html: '<p>{{name}}</p>' });
  await render({ template: 'hello', data: { name: 'cold' } });
  // The word of the changes above reaches every node, this one too, a moment after their answers.
  await expect.poll(() => app.queriesSince()).toBe(0);
  await render({ template: 'hello', data: { name: 'settled' } });
  app.queriesSince();
  for (let i = 0; i < 100; i++) await render({ template: 'hello', data: { name: `warm ${i}` } });
  expect(app.queriesSince()).toBe(0);
});

test('unsaved html renders like a stored template', async () => {
  expect(await render({ html: '<p>{{name}}</p>', subject: '{{name}}', data: { name: 'Ana' } })).toMatchObject(
    {
      html: '<p>Ana</p>',
      subject: 'Ana',
    },
  );
});

test('the starters render with their fixture in both languages, and welcome with a name alone', async () => {
  call = useTools(app, await newCaller(app));
  for (const template of ['welcome', 'receipt', 'password-reset', 'product-launch']) {
    for (const locale of ['en', 'es']) {
      expect(await render({ template, fixture: 'sample', locale, on_missing: 'error' })).toMatchObject({
        missing_variables: [],
      });
    }
  }
  expect(await render({ template: 'welcome', data: { name: 'Ana' }, on_missing: 'error' })).toMatchObject({
    html: expect.stringContaining('Ana'),
  });
});

test('each row of a batch gets its own answer, and a bad row stops no other', async () => {
  await create({ name: 'hello', html: '<p>{{name}}</p>' });
  const { items } = await call('render_batch', {
    template: 'hello',
    on_missing: 'error',
    rows: [{ id: 'a', data: { name: 'Ana' } }, { id: 7 }, { data: { name: 'Cy' } }],
  });
  expect(items).toMatchObject([
    { index: 0, id: 'a', html: '<p>Ana</p>' },
    { index: 1, id: 7, error: { code: 'missing_variables', status: 422 } },
    { index: 2, html: '<p>Cy</p>' },
  ]);
});

test('a mail is inlined, made small and given a plain text when asked', async () => {
  const html =
    '<style>p { color: red }</style>\n<p>Hello   {{name}}<!-- who --></p>\n<a href="{{url}}">Track it</a>';
  const data = { name: 'Ana & Co', url: 'https://shop.test/1' };
  const given = { html, data };
  expect(await render(given)).toMatchObject({ text: null, subject: null, preheader: null });
  expect(await render({ ...given, inline_css: true, minify: true, plain_text: true })).toMatchObject({
    html: '<p style="color: red;">Hello Ana &amp; Co</p> <a href="https://shop.test/1">Track it</a>',
    text: 'Hello Ana & Co\n\nTrack it [https://shop.test/1]',
    bytes: 88,
  });
});

test('a text of the template itself is kept', async () => {
  await create({ name: 'hello', html: '<p>Hello</p>', text: 'Good day' });
  expect(await render({ template: 'hello', plain_text: true })).toMatchObject({ text: 'Good day' });
});

test('each mail of a batch is finished', async () => {
  await create({ name: 'hello', html: '<p>Hello   {{name}}</p>' });
  const rows = [{ data: { name: 'Ana' } }, { data: { name: 'Bo' } }];
  expect(
    await call('render_batch', { template: 'hello', minify: true, plain_text: true, rows }),
  ).toMatchObject({
    items: [
      { index: 0, html: '<p>Hello Ana</p>', text: 'Hello Ana' },
      { index: 1, html: '<p>Hello Bo</p>', text: 'Hello Bo' },
    ],
  });
});

test('an MJML template is stored as it was written, and rendered as html', async () => {
  const mjml = (text: string) =>
    `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;
  const source = mjml('Hello {{name}}');
  await create({ name: 'hello', format: 'mjml', html: source, subject: 'Hi {{name}}' });
  expect(await call('get_template', { name: 'hello', include: 'html' })).toMatchObject({
    format: 'mjml',
    html: source,
  });
  expect(await render({ template: 'hello', data: { name: 'Ana' } })).toMatchObject({
    html: expect.stringMatching(/^<!doctype html>[\s\S]*>Hello Ana<\/div>/),
    subject: 'Hi Ana',
    missing_variables: [],
    unused_variables: [],
  });
  expect(await render({ format: 'mjml', html: source, data: { name: 'Bo' } })).toMatchObject({
    html: expect.stringContaining('>Hello Bo</div>'),
  });
  await call('update_template', { name: 'hello', html: mjml('Bye {{name}}') });
  expect(await render({ template: 'hello', branch: 'main', data: { name: 'Ana' } })).toMatchObject({
    html: expect.stringContaining('>Bye Ana</div>'),
  });
  expect(
    await call('update_template', { name: 'hello', format: 'html', html: '<p>{{name}}</p>' }),
  ).toMatchObject({
    created: true,
  });
  expect(await render({ template: 'hello', branch: 'main', data: { name: 'Ana' } })).toMatchObject({
    html: '<p>Ana</p>',
  });
});

test('what is wrong with MJML is told by line', async () => {
  const html = '<mjml>\n<mj-body>\n<mj-text>x</mj-text>\n</mj-body></mjml>';
  expect(await call('validate_template', { format: 'mjml', html })).toMatchObject({
    valid: false,
    errors: [
      { field: 'html', code: 'template_invalid.mjml', line: 3, message: expect.stringContaining('mj-text') },
    ],
  });
});

test('a merge keeps the format of a template', async () => {
  const mjml = (text: string) =>
    `<mjml>\n<mj-body>\n<mj-section>\n<mj-column>\n<mj-text>${text}</mj-text>\n</mj-column>\n</mj-section>\n</mj-body>\n</mjml>`;
  await create({ name: 'hello', html: '<p>one</p>' });
  await call('create_branch', { template: 'hello', name: 'draft' });
  await call('update_template', { name: 'hello', branch: 'draft', format: 'mjml', html: mjml('two') });
  await call('merge_branch', { template: 'hello', branch: 'draft' });
  expect(await call('get_template', { name: 'hello', include: 'html' })).toMatchObject({ format: 'mjml' });
  expect(await call('diff_versions', { template: 'hello', from: 'v1.0.0', to: 'main' })).toMatchObject({
    fields: ['html', 'format'],
  });
});

test('format html is what a document is without one', async () => {
  await create({ name: 'one', html: '<p>x</p>' });
  await create({ name: 'two', html: '<p>x</p>', format: 'html' });
  const hash = async (template: string) =>
    ((await call('get_version', { template, version: 'v1.0.0' })) as { sha256: string }).sha256;
  expect(await hash('one')).toBe(await hash('two'));
});
