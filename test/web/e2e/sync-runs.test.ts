import { beforeAll, expect, test } from 'vitest';
import { useWeb } from './use-web.ts';

const web = useWeb(() => ({
  SYNC_DEMO: 'true',
  ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
}));
const { person, steps, read, send } = web;

beforeAll(() => web.app.sync.start());

const setStock = (side: 'store' | 'sheet', sku: string, stock: number) =>
  send('PUT', '/sync/demo/stock', { side, sku, stock });

test('D5: with no store and no sheet the counters are 0 and lead to both', async () => {
  await person.open('/dashboard');
  const figures = await person.page.$$eval('dl .fig', (all) => all.map(({ textContent }) => textContent));
  expect(figures).toEqual(['0', '0', '0']);
  expect(await person.page.$$eval('dl a', (links) => links.map(({ pathname }) => pathname))).toEqual([
    '/stores',
    '/sheets',
  ]);
});

test('D6: Sync Now is off while a store is missing, and the page says so', async () => {
  const button = await person.page.waitForSelector('.page-head button[disabled]');
  expect(await button?.evaluate((one) => one.textContent)).toBe('Sync Now');
  await steps.see('Connect a store first, then one click syncs.');
});

test('D6: Sync Now names both ends, syncs from the store to the sheet, and a green banner has products_synced', async () => {
  await send('POST', '/sync/demo', {});
  await person.open('/dashboard');
  await steps.press('Sync demo.myshopify.com to Demo');
  const banner = await person.page.waitForSelector('.banner.ok');
  expect(await banner?.evaluate((one) => one.textContent)).toContain('60 products synced');
  const { items } = await read('/sync/history');
  expect(items).toMatchObject([
    { direction: 'store_to_sheet', status: 'succeeded', products_synced: 60, errors: [] },
  ]);
});

test('D5: the counters are stores, sheets and synced products, with the services by name', async () => {
  await person.open('/dashboard');
  expect(await steps.textOf('dl')).toBe('Stores1demo.myshopify.comSheets1DemoSynced products60all written');
});

test('a plan shows what would change before anything is written: old and new values, counts, until when it holds', async () => {
  const [[store], [sheet]] = [await read('/sync/stores'), await read('/sync/sheets')];
  const pair = { store_id: store.id, sheet_id: sheet.id };
  const { id } = await send('POST', '/sync/config', { ...pair, direction: 'two_way', quantity_merge: false });
  await send('POST', '/sync/run', { config_id: id });
  await setStock('sheet', 'BOOT-40', 3);
  await setStock('store', 'SEED-BEE', 160);
  await person.open('/mapping');
  await steps.press('Show changes demo.myshopify.com and Demo');
  await steps.at(/^\/runs\/plan\//);
  await steps.see('SEED-BEE');
  const rows = await person.page.$$eval('section[aria-labelledby=changes] tbody tr', (all) =>
    all.map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent?.trim())),
  );
  expect(rows).toEqual([
    [expect.any(String), 'BOOT-40', 'inventory_quantity', 'store', '6 3', ''],
    [expect.any(String), 'SEED-BEE', 'inventory_quantity', 'sheet', '150 160', ''],
  ]);
  const sums = await person.page.$$eval('dl > div', (all) => all.map(({ textContent }) => textContent));
  expect(sums).toEqual([
    '2rows change',
    '0of them are new',
    '0conflicts to resolve',
    '0rows are skipped',
    '58rows already agree',
  ]);
  await steps.see('valid until');
});

test('the button of a plan writes exactly it, and leads to the run with what it wrote', async () => {
  await steps.press('Write 2 rows');
  await steps.at(/^\/runs\/(?!plan)/);
  await steps.see('60 products synced');
  const { items } = await read('/sync/history');
  expect(items[0]).toMatchObject({ direction: 'two_way', status: 'succeeded', changed: 2 });
  await person.page.waitForSelector('section[aria-labelledby=changes] .was');
  expect(await person.page.$$eval('.was', (all) => all.map(({ textContent }) => textContent))).toEqual([
    '6',
    '150',
  ]);
});

test('S7: a run is undone as a new run, which says what it did', async () => {
  await steps.press('Undo this run');
  await steps.see('2 rows are back to their previous values');
  const { items } = await read('/sync/history');
  expect(items[0]).toMatchObject({ trigger: 'revert', reverts_run: items[1].id, changed: 2 });
  await person.open(`/runs/${items[1].id}`);
  await steps.see('This run was undone: 2 rows are back to their previous values');
  expect(
    await person.page.$$eval('.page-head button', (all) =>
      all.map(({ textContent, disabled }) => [textContent, disabled]),
    ),
  ).toEqual([
    ['Write them again', false],
    ['Undo this run', true],
  ]);
});

test('S7: the history has every run, newest first, and an undone one says so', async () => {
  await person.open('/runs');
  const states = await person.page.$$eval('tbody .state', (all) => all.map(({ textContent }) => textContent));
  expect(states).toEqual(['all written', 'undone', 'nothing had changed', 'all written']);
});

test('values that both sides changed wait for a person, who takes one of them', async () => {
  const [config] = (await read('/sync/configs')).filter(
    ({ direction }: { direction: string }) => direction === 'two_way',
  );
  await setStock('store', 'MUG-SEA', 20);
  await setStock('sheet', 'MUG-SEA', 30);
  await send('POST', '/sync/run', { config_id: config.id });
  const { items } = await read('/sync/history');
  await person.open(`/runs/${items[0].id}`);
  await steps.see('Changed in both places since the last sync: 20 in the store, 30 in the sheet');
  await steps.press('Sheet 30 MUG-SEA inventory_quantity');
  await steps.press('Write 1 choice to both sides');
  await person.page.waitForFunction((old) => !location.pathname.endsWith(old), {}, items[0].id);
  await expect.poll(async () => (await read('/sync/conflicts')).items, { timeout: 20_000 }).toEqual([]);
});

test('a run that a safety limit holds writes nothing, and leads to its plan', async () => {
  const [config] = (await read('/sync/configs')).filter(
    ({ direction }: { direction: string }) => direction === 'two_way',
  );
  await send('PATCH', `/sync/config/${config.id}`, { safety_limits: { zeroed_percent: 0 } });
  for (const sku of ['OIL-250', 'OIL-500', 'HONEY-250', 'HONEY-500', 'SALT-150', 'SALT-SMOKED'])
    await setStock('sheet', sku, 0);
  // Not sent by `send`: the answer is a refusal, which names the plan.
  const held = await fetch(`${web.app.url}/sync/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ config_id: config.id }),
  });
  const { plan_id } = await held.json();
  await person.open(`/runs/${plan_id}`);
  await steps.see('Nothing is written yet: this run waits for you');
  await steps.follow('Show changes');
  await steps.see('This is more than a safety limit allows');
  await steps.press('Write 6 rows');
  await steps.at(new RegExp(`^/runs/${plan_id}$`));
  const statusOf = async () =>
    (await read('/sync/history')).items.find(({ id }: { id: string }) => id === plan_id)?.status;
  await expect.poll(statusOf, { timeout: 20_000 }).toBe('succeeded');
  await steps.see('HONEY-250');
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  expect(await steps.wrongs(web.app.url)).toEqual({ unknown: [], complaints: [] });
});
