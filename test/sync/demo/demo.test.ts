import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { DEMO_SHOP } from '../../../src/emulators/shopify/demo.ts';
import { createQueue } from '../../../src/platform/queue/queue.ts';
import { wireSync } from '../../../src/wiring/sync.ts';
import { newBareCaller, openTestApp, silentLog, type TestApp, useTools } from '../../support/app.ts';

// A key of its own, so that another process can open what this one has sealed.
const SETTINGS = { SYNC_DEMO: 'true', ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp(SETTINGS);
  await app.sync.start();
});
afterAll(() => app.close());

/** As another process has it. */
const composeAgain = (settings: Record<string, string>) =>
  wireSync({
    ...app,
    queue: createQueue({ database: app.database, log: silentLog }),
    config: readConfig(settings),
    log: silentLog,
    mail: undefined,
    now: Date.now,
    addressesOf: app.assets.addressesOf,
    demoPictureAddress: () => undefined,
  });

/** An account with the demo store and the demo sheet. */
async function openDemo() {
  const caller = await newBareCaller(app);
  const call = useTools(app, caller);
  const store = await call('connect_store', { domain: 'demo.myshopify.com', store_access_token: 'any' });
  const sheet = await call('connect_sheet', { spreadsheet_id: 'demo', name: 'Demo', access_token: 'any' });
  const pair = { store_id: store['id'], sheet_id: sheet['id'] };
  return {
    caller,
    call,
    pair,
    sync: (order: Record<string, unknown> = { direction: 'store_to_sheet' }) =>
      call('run_sync', { ...pair, ...order }),
    setStock: (side: string, stock: number, sku = 'MUG-SEA') => call('set_demo_stock', { side, sku, stock }),
    /** What a plan into the sheet would change there. */
    async differences() {
      const { changes } = await call('preview_sync', { ...pair, direction: 'store_to_sheet' });
      return (changes as { key: string; from: string; to: string }[]).map(({ key, from, to }) => [
        key,
        from,
        to,
      ]);
    },
  };
}

const VARIANTS = (DEMO_SHOP.products ?? []).flatMap(({ variants }) => variants).length;

describe('the demo', () => {
  test('goes from connecting to a filled sheet, with no account elsewhere', async () => {
    const { sync } = await openDemo();
    expect(VARIANTS).toBeGreaterThan(55);
    expect(await sync()).toMatchObject({ status: 'succeeded', products_synced: VARIANTS, errors: [] });
    expect(await sync()).toMatchObject({ changed: 0, unchanged: VARIANTS });
  });

  test('shows what a sale in the store does to the sheet', async () => {
    const { sync, setStock, differences } = await openDemo();
    await sync();
    expect(await setStock('store', 20)).toEqual({ side: 'store', sku: 'MUG-SEA', stock: 20 });
    expect(await differences()).toEqual([['MUG-SEA', '21', '20']]);
    expect(await sync()).toMatchObject({ changed: 1, unchanged: VARIANTS - 1 });
    expect(await differences()).toEqual([]);
  });

  test('adds up what is typed and what is sold', async () => {
    const { sync, setStock, call, pair } = await openDemo();
    const twoWay = { direction: 'two_way' };
    await sync(twoWay);
    await setStock('store', 18);
    await setStock('sheet', 31);
    expect(await sync(twoWay)).toMatchObject({ status: 'succeeded', changed: 1 });
    await setStock('sheet', 0, 'MUG-COAL');
    const { changes } = await call('preview_sync', { ...pair, direction: 'store_to_sheet' });
    // 21 − 3 sold + 10 received; only what was typed since differs.
    expect(changes).toMatchObject([{ key: 'MUG-COAL', from: '0', to: '8' }]);
    await setStock('sheet', 8, 'MUG-COAL');
    await setStock('store', 27);
    const { changes: then } = await call('preview_sync', { ...pair, direction: 'store_to_sheet' });
    expect(then).toMatchObject([{ key: 'MUG-SEA', from: '28', to: '27' }]);
  });

  test('is of each account alone', async () => {
    const [one, other] = [await openDemo(), await openDemo()];
    await one.sync();
    await one.setStock('store', 3);
    await other.sync();
    expect(await one.differences()).toEqual([['MUG-SEA', '21', '3']]);
    expect(await other.differences()).toEqual([]);
  });

  test('keeps what is sold while a run is under way', async () => {
    const { caller, setStock } = await openDemo();
    const { signal } = new AbortController();
    const store = await app.sync.demo.openStore({
      domain: 'demo.myshopify.com',
      credentials: { token: 'any' },
      accountId: caller.accountId,
    });
    const stockOf = async () => {
      const { id } = (await store.locations(signal))[0] ?? expect.unreachable();
      const stock = new Map<string | null, number | null>();
      for await (const page of store.read(id, signal).pages)
        for (const { sku, available } of page) stock.set(sku, available);
      return ['MUG-SEA', 'MUG-COAL'].map((sku) => stock.get(sku));
    };
    expect(await stockOf()).toEqual([21, 8]);
    await setStock('store', 20);
    expect(await stockOf()).toEqual([20, 8]);
    await Promise.all([stockOf(), setStock('store', 7, 'MUG-COAL'), stockOf()]);
    expect(await stockOf()).toEqual([20, 7]);
  });

  test('stands after a restart as it was left', async () => {
    const { caller, sync, setStock, pair } = await openDemo();
    await sync();
    await setStock('sheet', 99);
    await setStock('store', 5, 'MUG-COAL');
    const restarted = composeAgain(SETTINGS);
    const call = useTools({ ...app, ...restarted.api }, caller);
    const { changes } = await call('preview_sync', { ...pair, direction: 'store_to_sheet' });
    expect(changes).toMatchObject([
      { key: 'MUG-SEA', from: '99', to: '21' },
      { key: 'MUG-COAL', from: '8', to: '5' },
    ]);
    await restarted.close();
  });

  test('takes no token anywhere, whatever somebody pastes', async () => {
    const { caller, sync } = await openDemo();
    await sync();
    const rows = await app.database
      .sql`select state::text as state from sync_demos where account_id = ${caller.accountId}`;
    expect(rows.map(({ state }) => String(state)).join('')).not.toContain('"any"');
  });

  test.each([
    ['store', 'NONE'],
    ['sheet', 'MUG-SEA'],
  ])('has no such item in the %s: %s', async (side, sku) => {
    const { setStock } = await openDemo();
    await expect(setStock(side, 1, sku)).rejects.toMatchObject({ key: 'not_found.demo_item' });
  });
});

describe('with SYNC_DEMO=false', () => {
  const off = () => composeAgain({ ...SETTINGS, SYNC_DEMO: 'false' });

  test('there is no demo', async () => {
    const sync = off();
    const call = useTools({ ...app, ...sync.api }, await newBareCaller(app));
    for (const [tool, input] of [
      ['connect_store', { domain: 'demo.myshopify.com', store_access_token: 'any' }],
      ['connect_sheet', { spreadsheet_id: 'demo', access_token: 'any' }],
      ['set_demo_stock', { side: 'store', sku: 'MUG-SEA', stock: 1 }],
    ] as const)
      await expect(call(tool, input)).rejects.toMatchObject({ key: 'not_configured.sync_demo' });
    await sync.close();
  });

  test('one that was connected before is not looked for on the internet', async () => {
    const { caller, pair } = await openDemo();
    const sync = off();
    const call = useTools({ ...app, ...sync.api }, caller);
    for (const [tool, input] of [
      ['test_store', { id: pair.store_id }],
      ['test_sheet', { id: pair.sheet_id }],
      ['preview_sync', { ...pair, direction: 'store_to_sheet' }],
    ] as const)
      await expect(call(tool, input)).rejects.toMatchObject({ key: 'not_configured.sync_demo' });
    await sync.close();
  });
});
