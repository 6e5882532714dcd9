import { expect, test } from 'vitest';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person, read, send } = web;
const { fill, press, see } = web.steps;

const brand = async () => {
  const { name, colors, voice, version } = await read('/api/v1/brand');
  return { name, colors, voice, version };
};

test('a brand is saved field by field, with the contrast that the server measures', async () => {
  await person.open('/brand');
  await fill('Name', 'Fern & Clay');
  await fill('Main color', '#eeee66');
  await fill('Background', '#ffffff');
  await fill('Tone', 'Warm and brief');
  await fill('Forbidden words', 'cheap, buy now');
  await see('5 fields are not saved yet.');
  await press('Save the brand');
  await see('Saved. Emails, videos and hooks use it from now on.');
  await see('have a contrast of');
  expect(await brand()).toEqual({
    name: 'Fern & Clay',
    colors: { primary: '#eeee66', background: '#ffffff' },
    voice: { tone: 'Warm and brief', forbidden_words: ['cheap', 'buy now'] },
    version: 1,
  });
});

test('the video beside it shows what is typed, the email what is saved', async () => {
  const { page } = person;
  const asked = page.waitForRequest(
    (request) => request.url().endsWith('/preview') && (request.postData() ?? '').includes('#12543f'),
  );
  await fill('Main color', '#12543f');
  expect(JSON.parse((await asked).postData() ?? '').brand).toEqual({
    name: 'Fern & Clay',
    color: '#12543f',
    background: '#ffffff',
  });
  const mail = await (await page.waitForSelector('iframe[title="In an email, as saved"]'))?.contentFrame();
  await mail?.waitForSelector('::-p-text(Fern & Clay)');
});

test('an emptied field is removed, and the contrast is said to be good', async () => {
  await person.page.locator('::-p-aria([name="Tone"][role="textbox"])').click({ count: 3 });
  await person.page.keyboard.press('Backspace');
  await press('Save the brand');
  await see('The colors have enough contrast.');
  expect(await brand()).toMatchObject({ colors: { primary: '#12543f' }, version: 2 });
  expect((await brand()).voice).toEqual({ forbidden_words: ['cheap', 'buy now'] });
});

test('what someone else saved since is not overwritten', async () => {
  await fill('Name', 'Fern');
  await send('PUT', '/api/v1/brand', { footer: 'Rua da Rosa 41' });
  await press('Save the brand');
  await person.page.waitForSelector('[role=alert]');
  expect(await brand()).toMatchObject({ name: 'Fern & Clay', version: 3 });
});

test('what the server refuses is said at its field', async () => {
  await person.open('/brand');
  await fill('Main color', 'greenish');
  await press('Save the brand');
  await person.page.waitForSelector('[aria-invalid=true]');
  const labels = await person.page.$$eval('[aria-invalid=true]', (fields) =>
    fields.map((field) => document.querySelector(`label[for="${field.id}"]`)?.textContent),
  );
  expect(labels).toEqual(['Main color']);
});

test('a site that cannot be read says so, and changes nothing', async () => {
  await person.open('/brand');
  await press('Read my site');
  await fill('Address of your site', 'nowhere.invalid');
  await press('Read');
  await person.page.waitForSelector('[role=dialog] [role=alert]');
  expect((await brand()).version).toBe(3);
});

test('a proposal is shown field by field, fills the form with what is chosen, and is saved by Save alone', async () => {
  const { page } = person;
  await person.open('/brand');
  // No site is reachable from here: the request carries the page that the site would have sent, and the server reads it.
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isImport = request.url().endsWith('/api/v1/brand/import');
    void request.continue(
      isImport ? { postData: JSON.stringify({ url: 'https://fernandclay.example/', html: SITE }) } : {},
    );
  });
  await press('Read my site');
  await fill('Address of your site', 'fernandclay.example');
  await press('Read');
  await see('links.instagram');
  const fields = await page.$$eval('[role=dialog] tbody tr', (rows) =>
    rows.map((row) => row.querySelector('.mono')?.textContent),
  );
  expect(fields).toContain('fonts.body');
  expect(fields).toContain('links.instagram');
  await page.locator('input[aria-label="Use fonts.body"]').click();
  await page.locator(`button ::-p-text(Fill in)`).click();
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
  expect((await brand()).version).toBe(3);
  await press('Save the brand');
  await see('Saved. Emails');
  const { links, fonts } = await read('/api/v1/brand');
  expect({ links, fonts }).toEqual({
    links: { website: 'https://fernandclay.example', instagram: 'https://instagram.com/fernandclay' },
    fonts: undefined,
  });
});

const SITE = `<!doctype html><html lang="en"><title>Pots | Fern & Clay</title>
<meta property="og:site_name" content="Fern & Clay">
<style>body{background:#fff;color:#222;font-family:Karla,sans-serif}h1{background:#12543f;color:#fff}</style>
<h1>Pots</h1><a href="https://instagram.com/fernandclay">Instagram</a>`;

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  const { unknown, complaints } = await web.steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // A browser reports what was refused: a color, another's save, a site that is not there.
  expect(complaints.filter((one) => !/status of (412|422|5\d\d)/.test(one))).toEqual([]);
});
