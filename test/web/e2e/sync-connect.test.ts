import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GoogleConsentPeer, startGoogleConsentPeer } from '../../peers/google-consent.ts';
import { newPerson as register, WIDE_LIMITS } from '../../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { useRest } from '../../support/server.ts';
import { newPerson } from './person.ts';
import { stepsOf } from './steps.ts';
import { useWeb } from './use-web.ts';

const KEY = { ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator' };

const web = useWeb(() => ({ SYNC_DEMO: 'true', ...KEY }));

beforeAll(() => web.app.sync.start());

describe('stores and sheets where no one signs in', () => {
  const { person, steps, read, send } = web;

  test('S1: the list says that there is no store yet, and an admin address is read as the domain of the shop', async () => {
    await person.open('/stores');
    await steps.see('No stores connected');
    await steps.fill('Domain', 'https://admin.shopify.com/store/fern-and-clay/products');
    await steps.see('We read this as fern-and-clay.myshopify.com');
  });

  test('S1: a token field hides what is typed, and names the commonest mistake', async () => {
    await steps.fill('Access token', 'shpss_0000');
    await steps.see('This is the secret of the app.');
    expect(await person.page.$eval('form input[autocomplete=off][type=password]', ({ type }) => type)).toBe(
      'password',
    );
  });

  test('S1: why a store was not connected is on the form, and what was typed is kept', async () => {
    await steps.fill('Domain', 'https://example.org/shop');
    await steps.press('Connect with a token');
    const banner = await person.page.waitForSelector('form [role=alert]');
    expect(await banner?.evaluate((alert) => alert.textContent)).toContain('.myshopify.com');
    expect(await person.page.$eval('form input', ({ value }) => value)).toBe('https://example.org/shop');
    expect(await read('/sync/stores')).toEqual([]);
  });

  test('the empty page connects the demo store and the demo sheet, and leads to their configuration', async () => {
    await person.open('/stores');
    await steps.press('Try the demo store and sheet');
    await steps.at(/^\/mapping$/);
    await person.page.waitForSelector('[role=dialog]');
    const [[store], [sheet]] = [await read('/sync/stores'), await read('/sync/sheets')];
    expect([store.domain, sheet.columns]).toEqual(['demo.myshopify.com', ['SKU', 'Stock']]);
  });

  test('S1: the list has the location of a store; S4: that of sheets its columns', async () => {
    await person.open('/stores');
    expect(await steps.textOf('table')).toContain('demo.myshopify.comAlmond Street 7');
    await person.open('/sheets');
    expect(await steps.textOf('table')).toContain('DemoTab Sheet1SKUStockdemo');
  });

  test('S4: a tab that is not there is told in its field, with the tabs there are', async () => {
    await steps.press('Disconnect Demo');
    await steps.press('Disconnect');
    await steps.see('No sheets connected');
    await steps.fill('Spreadsheet ID', 'demo');
    await steps.fill('Tab name', 'Stock');
    await steps.fill('Access token', 'ya29.any');
    await steps.press('Connect with a token');
    const said = await person.page.waitForSelector('.mantine-InputWrapper-error');
    expect(await said?.evaluate((error) => error.textContent)).toBe(
      "The spreadsheet has no tab 'Stock'. Valid values: Sheet1.",
    );
    await steps.fill('Tab name', 'Sheet1');
    await steps.press('Connect with a token');
    await steps.see('is connected');
    expect(await read('/sync/sheets')).toHaveLength(1);
  });

  test('S2: deleting a store says what else is deleted, and Cancel deletes nothing', async () => {
    const [[store], [sheet]] = [await read('/sync/stores'), await read('/sync/sheets')];
    await send('POST', '/sync/config', { store_id: store.id, sheet_id: sheet.id, direction: 'two_way' });
    await person.open('/stores');
    await steps.press('Disconnect demo.myshopify.com');
    const dialog = await person.page.waitForSelector('[role=dialog]');
    await steps.see('This also deletes 1 configuration');
    expect(await dialog?.evaluate((one) => one.textContent)).toContain(
      'Its token is deleted here permanently.This also deletes 1 configuration and its run history. Those runs can no longer be undone.Nothing changes in Shopify.',
    );
    await steps.press('Cancel');
    await steps.gone('[role=dialog]');
    expect(await read('/sync/stores')).toHaveLength(1);
    await steps.press('Disconnect demo.myshopify.com');
    await steps.see('This also deletes 1 configuration');
    await steps.press('Disconnect');
    await steps.see('No stores connected');
    expect([await read('/sync/stores'), await read('/sync/configs')]).toEqual([[], []]);
  });

  test('none of this made the browser complain, or called what openapi.json does not have', async () => {
    const { unknown, complaints } = await steps.wrongs(web.app.url);
    expect(unknown).toEqual([]);
    // A browser reports the refused domain and the missing tab.
    expect(complaints.filter((one) => !/status of (404|422)/.test(one))).toEqual([]);
  });
});

describe('stores and sheets of people who sign in', () => {
  let google: GoogleConsentPeer;
  let app: ServedApp;
  const redirectUris: string[] = [];
  beforeAll(async () => {
    google = await startGoogleConsentPeer({ clientId: 'client-1', clientSecret: 'secret-1', redirectUris });
    app = await openServedApp({
      RATE_LIMITS: WIDE_LIMITS,
      SYNC_DEMO: 'true',
      ...KEY,
      GOOGLE_BASE_URL: google.url,
      GOOGLE_CLIENT_ID: 'client-1',
      GOOGLE_CLIENT_SECRET: 'secret-1',
    });
    redirectUris.push(`${app.url}/connect/google/callback`);
    google.emulator.book('stock-book', {
      title: 'Stock book',
      tabs: [{ title: 'Hoja 1', rows: [['SKU', 'Stock']] }],
    });
    google.files.set('Stock book', 'stock-book');
    google.state.user = 'ana@gmail.test';
  });
  afterAll(async () => {
    await app.close();
    await google.close();
  });

  async function owner(name: string) {
    const { token } = await register(app.url, name);
    const person = await newPerson(web.browser, app.url);
    await person.page.evaluateOnNewDocument((value) => localStorage.setItem('token', value), token);
    return { person, steps: stepsOf(person), rest: useRest(app.url, token) };
  }

  test('S3: at the limit of the plan the limit takes the place of the form', async () => {
    const { person, steps, rest } = await owner('full');
    await rest('POST', '/sync/demo', { body: {} });
    await person.open('/stores');
    await steps.see('1 store is connected; your plan allows no more');
    expect(await person.page.$('form')).toBeNull();
    expect(await steps.textOf('section header')).toBe('Connected1 of 1');
    await person.leave();
  });

  test('S4: Connect with Google leads to Google and back, where the sheet is in the list', async () => {
    const { person, steps, rest } = await owner('google');
    await person.open('/sheets');
    await steps.press('Connect with Google');
    await person.page.waitForSelector('button[value=allow]');
    await person.page.click('input[name=file][value=stock-book]');
    await person.page.click('button[value=allow]');
    await steps.see('Stock book is connected');
    expect(new URL(person.page.url()).pathname).toBe('/sheets');
    const sheets = (await rest('GET', '/sync/sheets')).body as unknown as { spreadsheet_id: string }[];
    expect(sheets.map(({ spreadsheet_id }) => spreadsheet_id)).toEqual(['stock-book']);
    expect(await steps.textOf('table')).toContain('access from google@shop.example');
    await person.leave();
  });
});
