import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HEADER, openPairs, type Pair, type Pairs, shelf, stocked } from '../../support/sync-pairs.ts';
import { newPerson, openBrowser, type Person } from './person.ts';
import { stepsOf } from './steps.ts';

/** Each new row of the sheet is two changes: its SKU and its stock. */
const PRODUCTS = 5_000;
const MAX_TASK_MS = 50;

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

test('10,000 changes of a run scroll to the last without a task over 50 ms, and few are drawn at a time', {
  timeout: 240_000,
}, async () => {
  const pair = await pairs.open({ products: stocked(shelf(PRODUCTS)), rows: [HEADER], plan: 'pro_api' });
  const { body } = await pair.run({ direction: 'store_to_sheet', wait_seconds: 25 });
  const run = async () => (await pair.rest('GET', `/sync/history/${body['run_id']}`)).body;
  await expect.poll(run, { timeout: 120_000 }).toMatchObject({ status: 'succeeded', changed: PRODUCTS });
  const { page, open } = await signedIn(pair);
  await open(`/runs/${body['run_id']}`);
  await page.waitForSelector('section[aria-labelledby=changes] .now');
  await page.tracing.start({ categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  let most = 0;
  // A few frames at a time: should it stand still, the test says where.
  await expect
    .poll(
      async () => {
        const now = await scrollOn(page);
        most = Math.max(most, now.drawn);
        return now.last;
      },
      { timeout: 120_000, interval: 0 },
    )
    .toBe('S5000');
  const trace = await page.tracing.stop();
  const tasks = tasksIn(trace ?? new Uint8Array());
  const longest = Math.max(...tasks);
  console.log(
    `${tasks.length} tasks, the longest ${longest.toFixed(1)} ms of its thread; rows drawn at most ${most}`,
  );
  expect(most).toBeLessThan(400);
  expect(longest).toBeLessThanOrEqual(MAX_TASK_MS);
});

/** Scrolls for 30 frames, or as long where the browser draws none: the SKU of the last row that is drawn then, and how many rows were drawn at most. */
function scrollOn(page: Page): Promise<{ last: string; drawn: number }> {
  return page.evaluate(async () => {
    const rows = () => [...document.querySelectorAll('section[aria-labelledby=changes] tbody tr:has(.mono)')];
    let drawn = 0;
    for (let turn = 0; turn < 30; turn += 1) {
      scrollBy(0, 700);
      await new Promise((done) => {
        requestAnimationFrame(done);
        setTimeout(done, 250);
      });
      drawn = Math.max(drawn, rows().length);
    }
    return { last: rows().at(-1)?.querySelector('.mono')?.textContent ?? 'no row', drawn };
  });
}

type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
};

/** What each task of the page's main thread cost its thread, in milliseconds: other work on the machine does not count. */
function tasksIn(trace: Uint8Array): number[] {
  const { traceEvents }: { traceEvents: (TraceEvent & { args?: { name?: string } })[] } = JSON.parse(
    Buffer.from(trace).toString('utf8'),
  );
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && mains.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1_000);
}

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
  await expect.poll(async () => (await scrollOn(page)).last, { timeout: 20_000 }).toBe('S300');
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
