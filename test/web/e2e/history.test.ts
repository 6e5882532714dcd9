import { beforeAll, expect, test } from 'vitest';
import { storeGeneration } from '../../hooks/stored-generation.ts';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person } = web;
const { press, see } = web.steps;
let accountId: string;

beforeAll(async () => {
  accountId = (await web.app.accounts.local()).id;
});

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
    await storeGeneration(web.app, accountId, { topic, hooks: [[`${topic}.`, 'question']] });
  await person.open('/history');
  expect(await topics()).toEqual(['A second SOURDOUGH', 'Reading a lease', 'Sourdough at home']);
  await person.page.locator('input[aria-label="Search by topic"]').fill('sourdough');
  await person.page.waitForFunction(() => location.search === '?q=sourdough');
  await see('2 generations');
  expect(await topics()).toEqual(['A second SOURDOUGH', 'Sourdough at home']);
});

test('I1: a search without a hit says so, and Clear brings the list back', async () => {
  await person.open('/history?q=nothing-like-this');
  await see("No topic contains 'nothing-like-this'.");
  await press('Clear');
  await see('3 generations');
  expect(await person.page.evaluate(() => location.search)).toBe('');
});

test.each([
  ['TXT', /Reading a lease/],
  ['CSV', /^\S+\.csv: .*topic/],
  ['JSON', /"topic":\s*"Reading a lease"/],
] as const)('I1: one generation is downloaded as %s', async (format, content) => {
  await hearDownloads();
  await press(`Download Reading a lease as ${format}`);
  await expect.poll(async () => (await kept()).length).toBe(1);
  expect((await kept())[0]).toMatch(content);
});

test('I1: all that was found is downloaded as one file', async () => {
  await person.open('/history?q=sourdough');
  await hearDownloads();
  await press('Results as CSV');
  await expect.poll(async () => (await kept()).length).toBe(1);
  const [file] = (await kept()) as string[];
  expect(file).toMatch(/A second SOURDOUGH[\s\S]*Sourdough at home/);
  expect(file).not.toContain('Reading a lease');
});

test('a generation opens with its hooks, and is deleted once the person has confirmed', async () => {
  await person.open('/history');
  await press('Reading a lease');
  await see('Reading a lease.');
  await press('Delete the generation');
  await see('Its hook is deleted permanently');
  await person.page.locator('[role=dialog] button[type=submit]').click();
  await person.page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
  await expect.poll(topics).toEqual(['A second SOURDOUGH', 'Sourdough at home']);
});

test('ten thousand rows: the page draws a screenful of them, wherever the person is', async () => {
  const { sql } = web.app.database;
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
  const { unknown, complaints } = await web.steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  expect(complaints).toEqual([]);
});
