import { beforeEach, describe, expect, test } from 'vitest';
import type { ConfigChange, ConfigRequest } from '../../../src/sync/configs/config-change.ts';
import { at, PRICE, SKU, useConfigs } from './use-configs.ts';

const setup = useConfigs();
const { create, update } = setup;

describe('runs automatically', () => {
  // What is due is due in all accounts.
  beforeEach(setup.startOver);

  test.each<['free' | 'pro' | 'pro_api', Partial<ConfigRequest>, object | undefined]>([
    ['free', { schedule: { every_minutes: 60 } }, { key: 'plan_required.auto_sync', status: 403 }],
    ['free', { realtime: true }, { key: 'plan_required.auto_sync' }],
    ['free', { schedule: null, realtime: false }, undefined],
    [
      'pro',
      { schedule: { every_minutes: 14 } },
      { key: 'plan_limit.schedule', params: { plan: 'pro', minutes: 15 } },
    ],
    ['pro', { schedule: { every_minutes: 15 }, realtime: true }, undefined],
    [
      'pro_api',
      { schedule: { every_minutes: 4 } },
      { key: 'plan_limit.schedule', params: { plan: 'pro_api', minutes: 5 } },
    ],
    ['pro_api', { schedule: { every_minutes: 5 } }, undefined],
  ])('as the plan %s allows: %j', async (plan, pace, fault) => {
    await setup.shop.setPlan(setup.here.accountId, plan);
    const outcome = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: unknown) => error,
      );
    const { id } = await create();
    for (const error of [await outcome(create(pace)), await outcome(update(id, pace as ConfigChange))])
      if (fault) expect(error).toMatchObject(fault);
      else expect(error).toBeUndefined();
  });

  test('can be changed and turned off, but not on, without the plan it was made with', async () => {
    const { id } = await create({ schedule: { every_minutes: 60 } });
    await setup.shop.setPlan(setup.here.accountId, 'free');
    await update(id, { mappings: [SKU, PRICE] });
    await update(id, { enabled: false });
    await expect(update(id, { enabled: true })).rejects.toMatchObject({ key: 'plan_required.auto_sync' });
    expect((await update(id, { enabled: true, schedule: null })).schedule).toBeNull();
  });

  test('after its pace, handed out once however many ask', async () => {
    const { id } = await create({ schedule: { every_minutes: 15 } });
    expect((await setup.shop.configs.get(setup.here.accountId, id)).next_run_at).toBe(
      '2026-11-21T12:15:00.000Z',
    );
    expect(await setup.shop.configs.due(at(14), 10)).toEqual([]);
    await setup.shop.copyConfig(id, 500);
    const claims = await Promise.all(Array.from({ length: 8 }, () => setup.shop.configs.due(at(15), 1000)));
    const claimed = claims.flat();
    expect([claimed.length, new Set(claimed.map((config) => config.id)).size]).toEqual([501, 501]);
    expect(claimed).toContainEqual({ id, accountId: setup.here.accountId, trigger: 'schedule' });
    expect((await setup.shop.configs.get(setup.here.accountId, id)).next_run_at).toBe(
      '2026-11-21T12:30:00.000Z',
    );
  });

  test('as many as are asked for, the longest due first', async () => {
    const late = await create({ schedule: { every_minutes: 30 } });
    const later = await create({ schedule: { every_minutes: 40 } });
    const ids = async () => (await setup.shop.configs.due(at(60), 1)).map(({ id }) => id);
    expect([await ids(), await ids(), await ids()]).toEqual([[late.id], [later.id], []]);
  });

  test('soon after news of its store, where it wants them', async () => {
    const { id } = await create({ realtime: true });
    const paced = await create({ schedule: { every_minutes: 60 } });
    const next = async () => (await setup.shop.configs.get(setup.here.accountId, id)).next_run_at;
    expect(await next()).toBe('2026-11-21T12:15:00.000Z');
    await setup.shop.addWebhook(setup.here.storeId, at(0));
    await setup.shop.configs.makeStoreDue(setup.here.storeId, at(1));
    await setup.shop.configs.makeStoreDue(setup.here.storeId, at(2));
    expect(await next()).toBe('2026-11-21T12:01:00.000Z');
    expect((await setup.shop.configs.get(setup.here.accountId, paced.id)).next_run_at).toBe(
      '2026-11-21T13:00:00.000Z',
    );
    expect(await setup.shop.configs.due(at(1), 10)).toEqual([
      { id, accountId: setup.here.accountId, trigger: 'webhook' },
    ]);
    expect(await next()).toBe('2026-11-21T12:16:00.000Z');
    await setup.shop.configs.makeDue(id, at(3));
    expect(await next()).toBe('2026-11-21T12:03:00.000Z');
  });

  test('reads what its store has named, and all of it once a day, after too many, or while a plan waits', async () => {
    const { id } = await create({ realtime: true });
    const claim = (minutes: number) => setup.shop.configs.due(at(minutes), 10);
    const all = [{ id, accountId: setup.here.accountId, trigger: 'webhook' }];
    const named = async (minutes: number, items: readonly string[]) => {
      await setup.shop.addWebhook(setup.here.storeId, at(minutes));
      await setup.shop.configs.makeStoreDue(setup.here.storeId, at(minutes), items);
    };
    await named(1, ['a']);
    expect(await claim(1)).toEqual(all);
    await setup.shop.leaveRun(id, 'succeeded', at(1));

    await named(2, ['a', 'b']);
    await named(2, ['b', 'c']);
    const some = [{ id, accountId: setup.here.accountId, trigger: 'webhook', items: ['a', 'b', 'c'] }];
    expect(await claim(2)).toEqual(some);
    await setup.shop.configs.makeDue(id, at(2), ['a', 'b', 'c']);
    expect(await claim(2)).toEqual(some);

    await named(
      3,
      Array.from({ length: 501 }, (_, nth) => `item ${nth}`),
    );
    expect(await claim(3)).toEqual(all);
    await setup.shop.configs.makeDue(id, at(3));
    expect(await claim(3)).toEqual(all);

    const plan = await setup.shop.leaveRun(id, 'awaiting_confirmation', at(3));
    await setup.shop.sql`update sync_runs set dry_run = false where id = ${plan}`;
    await named(4, ['a']);
    expect(await claim(4)).toEqual(all);
    await setup.shop.sql`update sync_runs set status = 'succeeded' where id = ${plan}`;
    await named(4 + 1440, ['a']);
    expect(await claim(4 + 1440)).toEqual(all);
    await named(5 + 1440, ['a']);
    await update(id, { mappings: [SKU, PRICE] });
    await setup.shop.configs.makeStoreDue(setup.here.storeId, at(6 + 1440), ['a']);
    expect(await claim(6 + 1440)).toEqual(all);
  });

  test('by news alone once a day while they come and are made good, and often while its store is silent', async () => {
    const { id } = await create({ realtime: true });
    const scheduled = [{ id, accountId: setup.here.accountId, trigger: 'schedule' }];
    const next = async () => (await setup.shop.configs.get(setup.here.accountId, id)).next_run_at;
    expect(await setup.shop.configs.due(at(15), 10)).toEqual(scheduled);
    expect(await next()).toBe('2026-11-21T12:30:00.000Z');
    await setup.shop.addWebhook(setup.here.storeId, at(20));
    expect(await setup.shop.configs.due(at(30), 10)).toEqual(scheduled);
    await setup.shop.leaveRun(id, 'failed', at(30));
    expect(await next()).toBe('2026-11-21T12:45:00.000Z');
    expect(await setup.shop.configs.due(at(45), 10)).toEqual(scheduled);
    await setup.shop.leaveRun(id, 'succeeded', at(45));
    expect(await setup.shop.configs.due(at(60), 10)).toEqual([]);
    expect(await next()).toBe('2026-11-22T12:45:00.000Z');
    expect(await setup.shop.configs.due(at(45 + 1440), 10)).toEqual(scheduled);
    expect(await next()).toBe('2026-11-22T13:00:00.000Z');
  });

  test('not while it is disabled, its store or sheet has to be connected again, or rests', async () => {
    const { id } = await create({ schedule: { every_minutes: 15 } });
    const dueAt = async (minutes: number) =>
      (await setup.shop.configs.due(at(minutes), 10)).map((config) => config.id);
    await setup.shop.stores.markReconnect(setup.here.accountId, setup.here.storeId);
    expect(await dueAt(15)).toEqual([]);
    await setup.shop.sql`update sync_stores set status = 'connected'`;
    await setup.shop.sheets.markReconnect(setup.here.accountId, setup.here.sheetId);
    expect(await dueAt(15)).toEqual([]);
    await setup.shop.sql`update sync_sheets set status = 'connected'`;
    expect(await dueAt(15)).toEqual([id]);
    await update(id, { enabled: false });
    expect(await dueAt(600)).toEqual([]);
    expect((await update(id, { enabled: true })).next_run_at).toBe('2026-11-21T12:15:00.000Z');
  });

  test('not without the plan, at its slower pace, and not where there is no room for its store', async () => {
    const { id } = await create({ schedule: { every_minutes: 5 } });
    const next = async () => (await setup.shop.configs.get(setup.here.accountId, id)).next_run_at;
    await setup.shop.setPlan(setup.here.accountId, 'free');
    expect(await setup.shop.configs.due(at(5), 10)).toEqual([]);
    expect(await next()).toBe('2026-11-21T12:10:00.000Z');
    await setup.shop.setPlan(setup.here.accountId, 'pro');
    expect(await setup.shop.configs.due(at(10), 10)).toHaveLength(1);
    expect(await next()).toBe('2026-11-21T12:25:00.000Z');
    await setup.shop.setPlan(setup.here.accountId, 'pro_api');
    for (let count = 0; count < 5; count += 1) {
      const { id: store_id } = await setup.shop.connectStore(
        setup.here.accountId,
        `shop-${count}.myshopify.com`,
      );
      await update(id, { store_id });
    }
    await setup.shop.setPlan(setup.here.accountId, 'pro');
    expect(await setup.shop.configs.due(at(25), 10)).toEqual([]);
  });
});
