import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeGeneration } from '../../hooks/stored-generation.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { unknownCalls } from './known-calls.ts';
import { newPerson, openBrowser, type Person } from './person.ts';

let app: ServedApp;
let browser: Browser;
let person: Person;
let accountId: string;

beforeAll(async () => {
  app = await openServedApp({ AUTH_MODE: 'open' });
  accountId = (await app.accounts.local()).id;
  browser = await openBrowser();
  person = await newPerson(browser, app.url);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const see = (text: string) => person.page.waitForSelector(`::-p-text(${text})`);

const topics = () =>
  person.page.$$eval('tbody tr td:nth-child(2) button', (buttons) => buttons.map((one) => one.textContent));

/** Hears what the page gives the browser to keep, with its name. */
const hearDownloads = () =>
  person.page.evaluate(() => {
    const kept: Promise<string>[] = [];
    let content: Promise<string>;
    Object.defineProperty(globalThis, 'kept', { value: kept, configurable: true });
    URL.createObjectURL = (file) => {
      content = (file as Blob).text();
      return 'blob:kept';
    };
    HTMLAnchorElement.prototype.click = function () {
      kept.push(content.then((text) => `${this.download}: ${text}`));
    };
  });

const kept = () => person.page.evaluate(() => Promise.all(Reflect.get(globalThis, 'kept')));

test('I1: an empty history says so and leads to the generator', async () => {
  await person.open('/history');
  await see('No hooks yet');
  expect(await person.page.$eval('.empty a', (link) => link.getAttribute('href'))).toBe('/generator');
});

test('I1: the latest come first, and the search ignores case and is in the address', async () => {
  for (const topic of ['Sourdough at home', 'Reading a lease', 'A second SOURDOUGH'])
    await storeGeneration(app, accountId, { topic, hooks: [[`${topic}.`, 'question']] });
  await person.open('/history');
  expect(await topics()).toEqual(['A second SOURDOUGH', 'Reading a lease', 'Sourdough at home']);
  await person.page.locator('input[aria-label="Search by topic"]').fill('sourdough');
  await person.page.waitForFunction(() => location.search === '?q=sourdough');
  await see('2 generations');
  expect(await topics()).toEqual(['A second SOURDOUGH', 'Sourdough at home']);
});

test('I1: a search without a hit says so, and Clear brings the list back', async () => {
  await person.open('/history?q=nothing-like-this');
  await see('No topic has “nothing-like-this”.');
  await person.page.locator('::-p-aria([name="Clear"][role="button"])').click();
  await see('3 generations');
  expect(await person.page.evaluate(() => location.search)).toBe('');
});

test.each([
  ['TXT', /Reading a lease/],
  ['CSV', /^\S+\.csv: .*topic/],
  ['JSON', /"topic":\s*"Reading a lease"/],
] as const)('I1: one generation is downloaded as %s', async (format, content) => {
  await hearDownloads();
  await person.page
    .locator(`::-p-aria([name="Download Reading a lease as ${format}"][role="button"])`)
    .click();
  await expect.poll(async () => (await kept()).length).toBe(1);
  expect((await kept())[0]).toMatch(content);
});

test('I1: all that was found is downloaded as one file', async () => {
  await person.open('/history?q=sourdough');
  await hearDownloads();
  await person.page.locator('::-p-aria([name="These as CSV"][role="button"])').click();
  await expect.poll(async () => (await kept()).length).toBe(1);
  const [file] = (await kept()) as string[];
  expect(file).toMatch(/A second SOURDOUGH[\s\S]*Sourdough at home/);
  expect(file).not.toContain('Reading a lease');
});

test('a generation opens with its hooks, and is deleted once the person has confirmed', async () => {
  await person.open('/history');
  await person.page.locator('::-p-aria([name="Reading a lease"][role="button"])').click();
  await see('Reading a lease.');
  await person.page.locator('::-p-aria([name="Delete the generation"][role="button"])').click();
  await see('Its hook is deleted permanently');
  await person.page.locator('[role=dialog] button[type=submit]').click();
  await person.page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
  await expect.poll(topics).toEqual(['A second SOURDOUGH', 'Sourdough at home']);
});

test('ten thousand rows: the page draws a screenful of them, wherever the person is', async () => {
  const { sql } = app.database;
  // In parts: one statement for all would outlast the limit of a statement on a busy machine.
  for (let first = 1; first <= 10_000; first += 500)
    await sql`
      insert into generations (id, account_id, actor, topic, platform, language, provider, model, requested)
      select 'gen_many' || number, ${accountId}, 'test', 'Topic ' || number, 'tiktok', 'en', 'provider_a', 'm', 5
      from generate_series(${first}::int, ${first + 499}::int) number`;
  const { page } = person;
  await person.open('/history');
  const drawn: number[] = [];
  const count = () =>
    page.$eval('table', (table) => [
      Number(table.getAttribute('aria-rowcount')) - 1,
      table.querySelectorAll('tbody tr[aria-rowindex]').length,
    ]);
  let [all = 0, rows = 0] = await count();
  while (all < 10_002) {
    drawn.push(rows);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(
      (before) => Number(document.querySelector('table')?.getAttribute('aria-rowcount')) - 1 > before,
      {},
      all,
    );
    [all = 0, rows = 0] = await count();
  }
  expect(all).toBe(10_002);
  expect(Math.max(...drawn, rows)).toBeLessThanOrEqual(72);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await see('Sourdough at home');
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  expect(await unknownCalls(app.url, person.calls)).toEqual([]);
  expect(person.complaints).toEqual([]);
});
