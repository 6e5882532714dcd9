import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EmulatorClock } from '../../src/emulators/shopify/transport.ts';
import { HEADER, openPairs, type Pair, type Pairs, shelf, stocked } from '../support/sync-pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

const HOUR = 60 * 60_000;
const TO_SHEET = { direction: 'store_to_sheet' };
const SLOTS = 4;
/** More are read by a bulk operation. */
const LARGE = 2_501;

/** Shops whose bulk operations take an hour, until the test says so. */
function slowShops() {
  let later = 0;
  const clock: EmulatorClock = { now: () => Date.now() + later, sleep: async () => {} };
  const end = () => {
    later += HOUR;
  };
  return { shop: { clock, bulkMs: HOUR }, end };
}

test('runs that wait for bulk operations of their stores leave their places to others, and go on afterwards', async () => {
  const { shop, end } = slowShops();
  const large = { products: stocked(shelf(LARGE)), rows: [HEADER], shop };
  const slow: Pair[] = [];
  while (slow.length < SLOTS) slow.push(await pairs.open(large));
  const started = await Promise.all(slow.map((pair) => pair.run({ ...TO_SHEET, wait_seconds: 0 })));
  const waiting = () =>
    slow.filter(({ shop: { calls } }) => calls.some(({ operation }) => operation === 'StallhandBulkStatus'))
      .length;
  await expect.poll(waiting, { timeout: 20_000 }).toBe(SLOTS);

  const fast = await pairs.open({ products: stocked({ A: 3 }), rows: [HEADER] });
  expect((await fast.run({ ...TO_SHEET, wait_seconds: 10 })).body).toMatchObject({
    status: 'succeeded',
    changed: 1,
  });
  const statuses = () =>
    Promise.all(
      slow.map(
        async (pair, nth) =>
          (await pair.rest('GET', `/sync/history/${started[nth]?.body['run_id']}`)).body['status'],
      ),
    );
  expect(await statuses()).toEqual(Array(SLOTS).fill('planning'));

  end();
  await expect.poll(statuses, { timeout: 40_000, interval: 500 }).toEqual(Array(SLOTS).fill('succeeded'));
  expect(slow.map((pair) => pair.rows().length)).toEqual(Array(SLOTS).fill(LARGE + 1));
});
