import { beforeAll, expect, test } from 'vitest';
import { type Keys, keysOf } from './keyboard.ts';
import { useWeb } from './use-web.ts';

const web = useWeb(() => ({
  SYNC_DEMO: 'true',
  ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
}));
const { person } = web;
let keys: Keys;

beforeAll(async () => {
  await web.app.sync.start();
  keys = await keysOf(person);
});

const history = async () => (await web.read('/sync/history')).items;

test('by keyboard alone: the demo store and sheet connect, and the form of their configuration has the focus', async () => {
  await person.open('/dashboard');
  await keys.command('Connect a store');
  await keys.isAt('Stores', 'heading');
  await keys.to('Try the demo store and sheet', 'button');
  await keys.press('Enter');
  await keys.isAt('Store', 'combobox');
});

test('S5, S6: by keyboard alone: what was changed is asked about before it is left, then saved', async () => {
  await keys.to('Sheet column of line 2', 'combobox');
  await keys.to('Store field of line 2', 'combobox');
  await keys.to('Add a line', 'button');
  await keys.press('Enter');
  await keys.isAt('Add a line', 'button');
  await keys.press('Escape');
  await person.page.waitForSelector('::-p-text(Your changes are not saved)');
  await keys.backTo('Remove line 3', 'button');
  await keys.press('Enter');
  await keys.isAt('Add a line', 'button');
  await keys.to('Save', 'button');
  await keys.press('Enter');
  await keys.isAt('Configurations', 'heading');
});

test('D6: by keyboard alone: Sync Now, and the button keeps the focus while it works', async () => {
  await keys.press('g');
  await keys.press('d');
  await keys.isAt(/./, 'heading');
  await keys.to('Sync demo.myshopify.com to Demo', 'button');
  await keys.press('Enter');
  await person.page.waitForSelector('::-p-text(60 products synced)');
  await keys.isAt('Sync demo.myshopify.com to Demo', 'button');
  expect(await history()).toMatchObject([{ status: 'succeeded', products_synced: 60 }]);
});

test('S7: by keyboard alone: the run is undone, and its undo opens at its heading', async () => {
  await keys.to('Review', 'link');
  await keys.press('Enter');
  await keys.isAt(/^Run/, 'heading');
  const first = new URL(person.page.url()).pathname;
  await keys.to('Undo this run', 'button');
  await keys.press('Enter');
  await person.page.waitForFunction((path) => location.pathname !== path, {}, first);
  await keys.isAt(/^Run/, 'heading');
  await expect.poll(async () => (await history())[0]?.status, { timeout: 20_000 }).toBe('succeeded');
  expect((await history())[0]).toMatchObject({ reverts_run: first.split('/').at(-1) });
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  expect(await web.steps.wrongs(web.app.url)).toEqual({ unknown: [], complaints: [] });
});
