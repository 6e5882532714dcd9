import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults, cutBoxes } from '../../support/look.ts';
import { openPairs, type Pair, type Pairs, shelf, stocked } from '../../support/sync-pairs.ts';
import { newPerson, openBrowser, type Person } from './person.ts';
import { type Steps, stepsOf } from './steps.ts';

const PRODUCTS = 600;
/** How long the shop takes for each change of stock but the first. */
const SLOW_MS = 6_000;

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

/** A run that is at its second batch of stock, which the shop takes its time for. */
async function slowRun(): Promise<{ pair: Pair; id: string }> {
  const products = stocked(shelf(PRODUCTS));
  const rows = [['SKU', 'Stock'], ...Object.keys(shelf(PRODUCTS)).map((sku) => [sku, 9])];
  const pair = await pairs.open({ products, rows, plan: 'pro_api' });
  let mutations = 0;
  const slow = ({ operation = '' }: { operation: string | undefined }) => {
    if (!/Set|Update/.test(operation)) return undefined;
    mutations += 1;
    return mutations > 1 ? { slow: SLOW_MS } : undefined;
  };
  pair.shop.faults.push(slow, slow, slow, slow, slow, slow);
  const everything = { changed_percent: 100 };
  const config_id = await pair.config({ direction: 'sheet_to_store', safety_limits: everything });
  const { body } = await pair.run({ config_id, wait_seconds: 0 });
  return { pair, id: String(body['run_id']) };
}

async function signedIn({ key }: Pair, language: 'en' | 'es', width: 1440 | 390): Promise<[Person, Steps]> {
  const person = await newPerson(browser, pairs.url, { language, width });
  await person.page.evaluateOnNewDocument((token) => localStorage.setItem('token', token), key);
  return [person, stepsOf(person)];
}

/** How many of the lines on the page are written. */
const written = ({ page }: Person, word: string) =>
  page.$$eval(
    'section[aria-labelledby=changes] tbody td:last-child',
    (cells, said) => cells.filter(({ textContent }) => textContent?.trim() === said).length,
    word,
  );

const callsTo = ({ calls }: Person, end: RegExp) => calls.filter((call) => end.test(call)).length;

test.each([
  ['en', 1440, 'written', 'products synced'],
  ['es', 390, 'escrito', 'productos sincronizados'],
] as const)(
  'S7: a run that goes on is heard of by its events, and each line says when it is written (%s, %i px)',
  { timeout: 180_000 },
  async (language, width, word, end) => {
    const { pair, id } = await slowRun();
    const [person, steps] = await signedIn(pair, language, width);
    await person.page.goto(`${pairs.url}/runs/${id}`);
    await person.page.waitForSelector('section[aria-labelledby=changes] tbody td');
    await expect.poll(() => written(person, word), { timeout: 60_000 }).toBeGreaterThan(0);
    expect(await person.page.$('[role=progressbar]')).not.toBeNull();
    expect([await accessibilityFaults(person.page), await cutBoxes(person.page)]).toEqual([[], []]);
    await steps.see(end);
    expect(callsTo(person, /^GET \/sync\/history\/[^/]+\/events$/)).toBe(1);
    // The page as it opened, and no polling.
    expect(callsTo(person, /^GET \/sync\/history\/[^/]+$/)).toBe(1);
    expect(await steps.wrongs(pairs.url)).toEqual({ unknown: [], complaints: [] });
    await person.leave();
  },
);

test('S7: events that are cut off are taken up after the last one', { timeout: 180_000 }, async () => {
  const { pair, id } = await slowRun();
  const [person, steps] = await signedIn(pair, 'en', 1440);
  const lastIds: (string | undefined)[] = [];
  await person.page.setRequestInterception(true);
  person.page.on('request', (request) => {
    if (!request.url().endsWith('/events')) return void request.continue();
    lastIds.push(request.headers()['last-event-id']);
    if (lastIds.length > 1) return void request.continue();
    // What a proxy does that ends long answers: the first event is whole, and then nothing.
    void pair.rest('GET', `/sync/history/${id}`).then(({ body }) =>
      request.respond({
        contentType: 'text/event-stream',
        body: `id: 1\nevent: progress\ndata: ${JSON.stringify(body)}\n\n`,
      }),
    );
  });
  await person.page.goto(`${pairs.url}/runs/${id}`);
  await steps.see('products synced');
  expect(lastIds).toEqual([undefined, '1']);
  await person.leave();
});
