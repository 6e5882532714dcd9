import { expect, test } from 'vitest';
import type { FaultRule } from '../../../src/emulators/shopify/faults.ts';
import { DESCRIBE_STORE, UPDATE_PRODUCT } from '../../../src/providers/shopify/operations.ts';
import { openShop } from './open-shop.ts';

/** Renames the plate under this fault. Returns the response and the title the shop has afterwards. */
async function renameUnder(fault: FaultRule) {
  const shop = openShop();
  shop.emulator.faults.push(fault);
  const { status, errors } = await shop.ask(UPDATE_PRODUCT, {
    product: { id: shop.product('PLATE'), title: 'Dish' },
  });
  const title = shop.emulator.variants().at(-1)?.title;
  return { status, codes: errors.map(({ code }) => code), title };
}

test.each([
  ['drop_before', { status: undefined, codes: [], title: 'Plate' }],
  ['drop_after', { status: undefined, codes: [], title: 'Dish' }],
  ['rate_limited', { status: 429, codes: [], title: 'Plate' }],
  ['bad_gateway', { status: 502, codes: [], title: 'Plate' }],
  ['throttled', { status: 200, codes: ['THROTTLED'], title: 'Plate' }],
] as const)('%s befalls one request: %o', async (fault, outcome) => {
  expect(await renameUnder(fault)).toEqual(outcome);
});

test('429 says when to come back, 502 is a page', async () => {
  const { emulator } = openShop();
  emulator.faults.push('rate_limited', 'bad_gateway', {
    status: 500,
    body: 'no',
    headers: { 'x-request-id': '1' },
  });
  const answers = await Promise.all([1, 2, 3].map(() => emulator.fetch(`https://${emulator.domain}/admin/`)));
  expect(
    answers.map(({ status, headers }) => [status, headers.get('retry-after'), headers.get('content-type')]),
  ).toEqual([
    [429, '2.0', 'application/json'],
    [502, null, 'text/html'],
    [500, null, 'text/plain;charset=UTF-8'],
  ]);
});

test('a mutation is refused by the code that was ordered, and not done', async () => {
  const shop = openShop();
  shop.emulator.faults.push({ userError: 'IDEMPOTENCY_CONCURRENT_REQUEST' });
  const { data } = await shop.ask(UPDATE_PRODUCT, { product: { id: shop.product('PLATE'), title: 'Dish' } });
  expect(data.productUpdate.userErrors).toEqual([
    { field: null, message: 'This request is currently in progress, please try again.' },
  ]);
  expect(shop.emulator.variants().at(-1)?.title).toBe('Plate');
});

test('a function waits for the request it is for', async () => {
  const shop = openShop();
  shop.emulator.faults.push(({ operation }) => (operation === 'StallhandStore' ? 'bad_gateway' : undefined));
  const rename = await shop.ask(UPDATE_PRODUCT, { product: { id: shop.product('PLATE'), title: 'Dish' } });
  const describe = await shop.ask(DESCRIBE_STORE);
  expect([rename.status, describe.status]).toEqual([undefined, 502]);
  expect(shop.emulator.faults).toEqual([]);
});

test('a slow answer takes its time on the clock, and ends with the signal', async () => {
  const { emulator, clock, ask } = openShop();
  const before = clock.now();
  emulator.faults.push({ slow: 30_000 });
  await ask(DESCRIBE_STORE);
  expect(clock.now() - before).toBe(30_000);
  const gone = AbortSignal.abort(new Error('left'));
  await expect(emulator.fetch(`https://${emulator.domain}/`, { signal: gone })).rejects.toThrow('left');
});

test('the same seed makes the same faults, about as many as asked for', async () => {
  async function statuses(seed: number) {
    const { emulator } = openShop({ faultRate: { rate: 0.25, seed } });
    const one = () =>
      emulator.fetch(`https://${emulator.domain}/admin/`).then(
        ({ status }) => status,
        () => 'dropped',
      );
    return Promise.all(Array.from({ length: 400 }, one));
  }
  const first = await statuses(7);
  expect(await statuses(7)).toEqual(first);
  expect(await statuses(8)).not.toEqual(first);
  const well = first.filter((status) => status === 405).length;
  expect(well).toBeGreaterThan(260);
  expect(well).toBeLessThan(340);
});
