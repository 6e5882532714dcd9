import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HEADER, openPairs, type Pair, type Pairs, shelf, stocked } from '../../support/sync-pairs.ts';
import { newPerson, openBrowser, type Person } from './person.ts';
import { stepsOf } from './steps.ts';

/** Each new row of the sheet is two changes: its SKU and its stock. */
const PRODUCTS = 5_000;

let pairs: Pairs;
let browser: Browser;

beforeAll(async () => {
  pairs = await openPairs();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await pairs.close();
});

async function signedIn({ key }: Pair): Promise<Person> {
  const person = await newPerson(browser, pairs.url);
  await person.page.evaluateOnNewDocument((token) => localStorage.setItem('token', token), key);
  return person;
}

test('10,000 changes of a run scroll to the last, and few are drawn at a time', {
  timeout: 240_000,
}, async () => {
  const pair = await pairs.open({ products: stocked(shelf(PRODUCTS)), rows: [HEADER], plan: 'pro_api' });
  const { body } = await pair.run({ direction: 'store_to_sheet', wait_seconds: 25 });
  const run = async () => (await pair.rest('GET', `/sync/history/${body['run_id']}`)).body;
  await expect.poll(run, { timeout: 120_000 }).toMatchObject({ status: 'succeeded', changed: PRODUCTS });
  const { page, open, leave } = await signedIn(pair);
  await open(`/runs/${body['run_id']}`);
  await page.waitForSelector('section[aria-labelledby=changes] .now');
  const drawn: number[] = [];
  let last = '';
  while (last !== 'S5000') {
    last = await nextEnd(page, last);
    drawn.push((await drawnRows(page)).length);
  }
  // Anywhere between, too.
  for (let tenth = 9; tenth > 0; tenth -= 1) {
    await page.evaluate((share) => scrollTo(0, document.body.scrollHeight * share), tenth / 10);
    await page.waitForFunction(() =>
      document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('tr:has(.mono)'),
    );
    drawn.push((await drawnRows(page)).length);
  }
  expect(Math.max(...drawn)).toBeLessThan(400);
  await leave();
});

/** Scrolls to the end of what is read until it is another row than before, and returns that row's SKU. */
async function nextEnd(page: Page, before: string): Promise<string> {
  const end = async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    return (await drawnRows(page)).at(-1) ?? before;
  };
  // Each step is by a page of rows, so one that stands still says where.
  await expect.poll(end, { timeout: 30_000, message: `the rows after ${before}` }).not.toBe(before);
  return end();
}

/** The SKUs of the rows of changes that are drawn now. */
const drawnRows = (page: Page): Promise<string[]> =>
  page.$$eval('section[aria-labelledby=changes] tbody td.mono:nth-child(2)', (cells) =>
    cells.map(({ textContent }) => textContent ?? ''),
  );

test('a page of changes that fails says so below the rows, is not asked for again by itself, and is by the button', async () => {
  const pair = await pairs.open({ products: stocked(shelf(300)), rows: [HEADER], plan: 'pro_api' });
  const { body } = await pair.run({ direction: 'store_to_sheet', wait_seconds: 25 });
  const person = await signedIn(pair);
  const { page, open } = person;
  await page.setRequestInterception(true);
  let isLost = true;
  let asked = 0;
  page.on('request', (request) => {
    const isNext = /\/rows\?.*cursor=/.test(request.url());
    if (!isNext) return void request.continue();
    asked += 1;
    return void (isLost ? request.respond({ status: 500, body: '{}' }) : request.continue());
  });
  await open(`/runs/${body['run_id']}`);
  await page.waitForSelector('section[aria-labelledby=changes] .now');
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const banner = 'section[aria-labelledby=changes] [role=alert]';
  await page.waitForSelector(banner);
  expect(asked).toBe(1);
  isLost = false;
  await page.click(`${banner} button`);
  await expect.poll(() => nextEnd(page, ''), { timeout: 20_000 }).toBe('S300');
  await person.leave();
});

test('every row that was not written has its reason and its one repair, which opens the sheet there', async () => {
  const rows = [HEADER, ['S001', 5], ['S002', 'many'], ['S999', 3]];
  const pair = await pairs.open({ products: stocked(shelf(2)), rows });
  const { body } = await pair.run({ direction: 'sheet_to_store' });
  expect(body['status']).toBe('partial');
  const person = await signedIn(pair);
  const steps = stepsOf(person);
  await person.open(`/runs/${body['run_id']}`);
  const refused = await person.page.$$eval('section[aria-labelledby=refused] tbody tr', (all) =>
    all.map((row) => {
      const link = row.querySelector('a');
      return {
        row: row.querySelector('td')?.textContent,
        why: row.querySelector('td:nth-child(3)')?.textContent,
        repair: link && `${link.textContent} ${link.hash}`,
      };
    }),
  );
  expect(refused).toEqual([
    {
      row: '3',
      why: expect.stringContaining('many is not a whole number'),
      repair: 'Open row 3 Row 3 #range=3:3',
    },
    {
      row: '4',
      why: expect.stringContaining('The store has no item with this'),
      repair: 'Open row 4 Row 4 #range=4:4',
    },
  ]);
  expect((await steps.wrongs(pairs.url)).complaints).toEqual([]);
  await person.leave();
});
