import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCaller, openTestApp, type TestApp, useTools } from '../support/app.ts';
import { givePlan } from '../support/plans.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function newAccount() {
  const caller = await newCaller(app, 'someone');
  return { caller, call: useTools(app, caller) };
}

const EMPTY = { brand: 'default', version: 0, updated_at: null, warnings: [], brands: [], voices: [] };

test('an account has an empty brand before it saves one', async () => {
  const { call } = await newAccount();
  expect(await call('get_brand', {})).toEqual(EMPTY);
});

test('saving changes the fields that are sent, field by field inside of objects, and null removes one', async () => {
  const { call } = await newAccount();
  const first = await call('save_brand', {
    name: ' Fern & Clay ',
    colors: { primary: '#12543F', accent: '#D3F' },
    links: { website: 'https://fernandclay.example', instagram: 'https://instagram.com/fern' },
    languages: ['en', 'pt-PT'],
  });
  expect(first).toEqual({
    brand: 'default',
    version: 1,
    name: 'Fern & Clay',
    colors: { accent: '#dd33ff', primary: '#12543f' },
    links: { website: 'https://fernandclay.example', instagram: 'https://instagram.com/fern' },
    languages: ['en', 'pt-PT'],
    updated_at: expect.any(String),
    warnings: [],
    created: true,
  });
  const second = await call('save_brand', {
    colors: { accent: null, text: '#14201a' },
    links: { instagram: null },
    languages: null,
    footer: 'Fern & Clay Lda.\nNIF 123',
  });
  expect(second).toMatchObject({
    version: 2,
    name: 'Fern & Clay',
    colors: { primary: '#12543f', text: '#14201a' },
    links: { website: 'https://fernandclay.example' },
    footer: 'Fern & Clay Lda.\nNIF 123',
    created: false,
  });
  expect(second).not.toHaveProperty('languages');
  expect(Object.keys(second['colors'] as object)).toEqual(['primary', 'text']);
});

test('saving what is there already makes no version', async () => {
  const { call } = await newAccount();
  await call('save_brand', { name: 'Fern & Clay' });
  expect(await call('save_brand', { name: 'Fern & Clay' })).toMatchObject({ version: 1, created: false });
});

test('a change to an older version than the latest is refused, and nothing is lost', async () => {
  const { call } = await newAccount();
  await call('save_brand', { name: 'One', expected_version: 0 });
  await call('save_brand', { name: 'Two', expected_version: 1 });
  await expect(call('save_brand', { name: 'Three', expected_version: 1 })).rejects.toMatchObject({
    key: 'precondition_failed.brand',
    params: { brand: 'default', version: 2, expected: 1 },
  });
  expect(await call('get_brand', {})).toMatchObject({ name: 'Two', version: 2 });
});

test('of twenty who change the same version at once, one succeeds', async () => {
  const { call } = await newAccount();
  const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`);
  const saved = await Promise.allSettled(
    names.map((name) => call('save_brand', { name, expected_version: 0 })),
  );
  expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await call('get_brand', {})).toMatchObject({ version: 1 });
});

test('colors that are hard to see are saved with a warning each', async () => {
  const { call } = await newAccount();
  const colors = { primary: '#fff200', accent: '#12543f', background: '#ffffff', text: '#999999' };
  expect(await call('save_brand', { colors })).toMatchObject({
    colors,
    warnings: [
      {
        code: 'low_contrast',
        field: 'colors',
        pair: 'text/background',
        ratio: 2.84,
        message:
          'The colors text/background have a contrast of 2.84:1; to be easy to see, they need at least 4.5:1. Choose a darker or lighter one.',
      },
      { code: 'low_contrast', field: 'colors', pair: 'primary/background', ratio: 1.16 },
    ],
  });
});

test('a logo or font of the library that is not there yet is a warning until it is', async () => {
  const { call } = await newAccount();
  const saved = await call('save_brand', {
    logos: { light: 'asset:logos/light.png', dark: 'https://fernandclay.example/dark.png' },
    fonts: { heading: 'Inter', body: 'asset:fonts/body.woff2' },
  });
  expect(saved['warnings']).toMatchObject([
    { code: 'asset_missing', message: expect.stringContaining("'logos/light.png'") },
    { code: 'asset_missing', message: expect.stringContaining("'fonts/body.woff2'") },
  ]);
});

test.each([
  ['name', { name: 'a'.repeat(61) }],
  ['name', { name: 'two\nlines' }],
  ['colors', { colors: { primary: 'red' } }],
  ['colors', { colors: { primary: '#12543f;background:url(//evil.example)' } }],
  ['colors', { colors: { secondary: '#12543f' } }],
  ['logos', { logos: { light: 'http://fernandclay.example/logo.png' } }],
  ['logos', { logos: { light: 'javascript:alert(1)' } }],
  ['logos', { logos: { light: 'asset:logo.png"onload="alert(1)' } }],
  ['fonts', { fonts: { body: "Inter';background:url(//evil.example)" } }],
  ['links', { links: { website: 'javascript:alert(1)' } }],
  ['links', { links: { website: 'https://fernandclay.example/"><script>' } }],
  ['links', { links: { 'no such name': 'https://fernandclay.example' } }],
  ['unsubscribe_url', { unsubscribe_url: 'data:text/html,x' }],
  ['footer', { footer: 'a\u0007b' }],
  ['languages', { languages: ['not a language'] }],
  ['brand', { brand: 'Not A Name', name: 'x' }],
])('a %s like %j is refused', async (field, input) => {
  const { call } = await newAccount();
  await expect(call('save_brand', input)).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ loc: expect.arrayContaining(['body', field]) }],
  });
  expect(await call('get_brand', {})).toEqual(EMPTY);
});

test.each([
  ['an address', { website: 'javascript:alert(1)' }, 'starts with https://, mailto: or tel:'],
  ['a name', { 'no such name': 'https://fernandclay.example' }, 'a name of 1 to 30 lowercase letters'],
  ['the number', linksOf(21), 'at most 20 links'],
])('what is wrong with %s of links is said in its own words', async (_part, links, said) => {
  const { call } = await newAccount();
  await expect(call('save_brand', { links })).rejects.toMatchObject({
    errors: [{ msg: expect.stringContaining(said) }],
  });
});

function linksOf(count: number) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`shop_${at}`, 'https://fernandclay.example']),
  );
}

test('the Enterprise plan has several brands; one that has nothing left is deleted', async () => {
  const { caller, call } = await newAccount();
  await expect(call('save_brand', { brand: 'outlet', name: 'Outlet' })).rejects.toMatchObject({
    key: 'plan_required.brands',
  });
  await givePlan(app, caller.accountId, 'enterprise');
  await call('save_brand', { name: 'Fern & Clay' });
  await call('save_brand', { brand: 'outlet', name: 'Outlet', colors: { primary: '#12543f' } });
  expect(await call('get_brand', { brand: 'outlet' })).toMatchObject({
    brand: 'outlet',
    name: 'Outlet',
    brands: ['default', 'outlet'],
  });
  await expect(call('get_brand', { brand: 'outlett' })).rejects.toMatchObject({
    key: 'not_found.brand',
    params: { brand: 'outlett', suggestion: 'outlet' },
  });
  await call('save_brand', { brand: 'outlet', name: null, colors: null });
  expect(await call('get_brand', {})).toMatchObject({ name: 'Fern & Clay', brands: ['default'] });
});

test('a change is in the audit log, with who made it and what it changed', async () => {
  const { call } = await newAccount();
  await call('save_brand', { name: 'Fern & Clay', colors: { primary: '#12543f' } });
  await call('save_brand', { name: 'Fern' });
  const { items } = await call('list_audit_events', { target: 'default' });
  expect(items).toMatchObject([
    { action: 'brand.changed', target: 'default', to: 'name', actor: expect.any(String) },
    { action: 'brand.created', target: 'default', to: 'name, colors' },
  ]);
});

test('the brand is part of the export of an account', async () => {
  const { caller, call } = await newAccount();
  await call('save_brand', { name: 'Fern & Clay' });
  const { bytes } = await app.accountExport.export(caller.accountId);
  expect(JSON.parse(bytes.toString('utf8')).brands).toEqual([
    { name: 'default', fields: { name: 'Fern & Clay' }, version: 1, updated_at: expect.any(String) },
  ]);
});
