import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import type { SyncPlan } from '../../../src/plans.ts';
import { createScheduler } from '../../../src/sync/automation/scheduler.ts';
import { SyncOptions } from '../../../src/sync/config.ts';
import type { NewRun, RunCaller, Runs } from '../../../src/sync/runs/runs.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openWorkshop } from '../../support/sync-connections.ts';

const MINUTE = 60_000;
const log = pino({ level: 'silent' });

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

type Begun = { readonly caller: RunCaller; readonly order: NewRun };

/**
 * An account with a configuration that runs automatically, schedulers for it, and the runs they have begun.
 */
async function openClock({
  plan = 'pro_api' as SyncPlan,
  every = 15 as number | null,
  realtime = false,
} = {}) {
  const clock = { now: Date.now() };
  const workshop = openWorkshop(database, { now: () => clock.now });
  const { configs } = workshop;
  const { accountId, pair } = await workshop.newPair(plan);
  const config = await configs.create(accountId, {
    ...pair,
    direction: 'two_way',
    mappings: [
      { sheet_column: 'SKU', store_field: 'sku' },
      { sheet_column: 'Stock', store_field: 'inventory_quantity' },
    ],
    options: SyncOptions.parse({}),
    schedule: every === null ? null : { every_minutes: every },
    realtime,
    enabled: true,
  });
  const begun: Begun[] = [];
  /** What the next runs end with before they begin: all, or those `of` one configuration. */
  const refusal: { next?: Error | undefined; of?: string } = {};
  const runs: Pick<Runs, 'create'> = {
    async create(caller, order) {
      if (refusal.next && (refusal.of ?? order.config_id) === order.config_id) throw refusal.next;
      begun.push({ caller, order });
      // The schedule waits for the run to begin, and does not look at it.
      return {} as Awaited<ReturnType<Runs['create']>>;
    },
  };
  const process = () =>
    createScheduler({
      due: configs.due,
      makeDue: configs.makeDue,
      runs,
      log,
      now: () => clock.now,
    });
  return {
    ...{ clock, workshop, configs, accountId, config, begun, refusal, process },
    nextRun: async () => Date.parse((await configs.get(accountId, config.id)).next_run_at ?? '') - clock.now,
  };
}

describe('a schedule', () => {
  test('begins a run at its pace, in the name of the schedule, and not before', async () => {
    const { clock, begun, accountId, config, process, nextRun } = await openClock();
    const schedule = process();
    clock.now += 14 * MINUTE;
    await schedule.work();
    expect(begun).toEqual([]);
    clock.now += MINUTE;
    await schedule.work();
    expect(begun).toEqual([
      {
        caller: { accountId, actor: 'schedule' },
        order: { config_id: config.id, trigger: 'schedule' },
      },
    ]);
    expect(await nextRun()).toBe(15 * MINUTE);
  });

  test('begins each run once, however many processes look at once', async () => {
    const { clock, begun, process } = await openClock();
    const processes = Array.from({ length: 4 }, process);
    for (let round = 1; round <= 3; round += 1) {
      clock.now += 15 * MINUTE;
      await Promise.all([...processes, ...processes].map((schedule) => schedule.work()));
      expect(begun).toHaveLength(round);
    }
  });

  test('makes up for a long pause with one run', async () => {
    const { clock, begun, process } = await openClock();
    clock.now += 24 * 60 * MINUTE;
    const schedule = process();
    await schedule.work();
    await schedule.work();
    expect(begun).toHaveLength(1);
  });

  test('begins more than it takes at once', async () => {
    const { clock, begun, process, configs, accountId, config } = await openClock();
    const { store_id, sheet_id, direction, mappings } = config;
    for (let more = 0; more < 44; more += 1)
      await configs.create(accountId, {
        ...{ store_id, sheet_id, direction, mappings, options: SyncOptions.parse({}) },
        ...{ schedule: { every_minutes: 15 }, realtime: false, enabled: true },
      });
    clock.now += 15 * MINUTE;
    await process().work();
    expect(begun).toHaveLength(45);
  });

  test('stops when the plan no longer has it, and goes on with the plan', async () => {
    const { clock, begun, process, workshop, accountId } = await openClock();
    const schedule = process();
    await workshop.setPlan(accountId, 'free');
    clock.now += 60 * MINUTE;
    await schedule.work();
    expect(begun).toEqual([]);
    await workshop.setPlan(accountId, 'pro');
    clock.now += 60 * MINUTE;
    await schedule.work();
    expect(begun).toHaveLength(1);
  });

  test('slows down to what a smaller plan allows', async () => {
    const { clock, process, workshop, accountId, nextRun } = await openClock({ every: 5 });
    await workshop.setPlan(accountId, 'pro');
    clock.now += 5 * MINUTE;
    await process().work();
    expect(await nextRun()).toBe(15 * MINUTE);
  });

  test('comes again half a minute later where the pair is being synced', async () => {
    const { clock, begun, process, refusal, nextRun } = await openClock();
    const schedule = process();
    refusal.next = new Fault('sync_running.sheet', { run: 'run_1' });
    clock.now += 15 * MINUTE;
    await schedule.work();
    expect([begun, await nextRun()]).toEqual([[], 30_000]);
    refusal.next = undefined;
    clock.now += 30_000;
    await schedule.work();
    expect(begun).toHaveLength(1);
  });

  test.each([
    [
      'what a person has to mend',
      new Fault('plan_limit.stores', { plan: 'free', limit: 1, used: 2 }),
      15 * MINUTE,
    ],
    ['what nobody has foreseen', new Error('odd'), 15 * MINUTE],
    ['a queue that does not answer', new Fault('unavailable.queue'), 30_000],
  ])('goes on with the others after %s', async (_what, error, next) => {
    const { clock, begun, process, refusal, configs, accountId, config, nextRun } = await openClock();
    const { store_id, sheet_id, direction, mappings } = config;
    const other = await configs.create(accountId, {
      ...{ store_id, sheet_id, direction, mappings, options: SyncOptions.parse({}) },
      ...{ schedule: { every_minutes: 15 }, realtime: false, enabled: true },
    });
    refusal.next = error;
    refusal.of = config.id;
    clock.now += 15 * MINUTE;
    await process().work();
    expect(begun.map(({ order }) => order.config_id)).toEqual([other.id]);
    expect(await nextRun()).toBe(next);
  });

  test('rests while a side has to be connected again', async () => {
    const { clock, begun, process, workshop, accountId, config } = await openClock();
    await workshop.stores.markReconnect(accountId, config.store_id);
    clock.now += 60 * MINUTE;
    await process().work();
    expect(begun).toEqual([]);
  });
});

describe('news of a store', () => {
  test('begins one run when it is due, in the name of the webhook', async () => {
    const { clock, begun, workshop, configs, config, process } = await openClock({
      every: null,
      realtime: true,
    });
    const schedule = process();
    for (let nth = 0; nth < 20; nth += 1) {
      await workshop.addWebhook(config.store_id, new Date());
      await configs.makeStoreDue(config.store_id, new Date(clock.now + 2_000 + nth));
    }
    clock.now += 1_999;
    await schedule.work();
    expect(begun).toEqual([]);
    clock.now += 1;
    await schedule.work();
    clock.now += 1_000;
    await schedule.work();
    expect(begun).toEqual([expect.objectContaining({ order: { config_id: config.id, trigger: 'webhook' } })]);
  });

  test('begins a run of the items it names, seconds later where the pair is being synced', async () => {
    const { clock, begun, workshop, configs, config, process, refusal, nextRun } = await openClock({
      every: null,
      realtime: true,
    });
    const schedule = process();
    clock.now += 15 * MINUTE;
    await schedule.work();
    await workshop.addWebhook(config.store_id, new Date(clock.now));
    await configs.makeStoreDue(config.store_id, new Date(clock.now), ['a', 'b']);
    refusal.next = new Fault('sync_running.sheet', { run: 'run_1' });
    await schedule.work();
    expect(await nextRun()).toBe(5_000);
    refusal.next = undefined;
    clock.now += 5_000;
    await schedule.work();
    await schedule.stop();
    expect(begun.slice(1)).toMatchObject([{ order: { trigger: 'webhook', request: { items: ['a', 'b'] } } }]);
  });

  test('is heard by every process, one of which begins the run at its moment', async () => {
    const { clock, begun, configs, config, process } = await openClock({ every: null, realtime: true });
    const processes = [process(), process()];
    await configs.makeStoreDue(config.store_id, new Date(clock.now + 2_000));
    clock.now += 2_000;
    for (const schedule of processes) schedule.onDue('0');
    await vi.waitFor(() => expect(begun).toHaveLength(1), { timeout: 30_000 });
    await Promise.all(processes.map((schedule) => schedule.work()));
    expect(begun).toHaveLength(1);
    await Promise.all(processes.map((schedule) => schedule.stop()));
  });

  test('that never comes is looked for every quarter of an hour', async () => {
    const { clock, begun, process } = await openClock({ every: null, realtime: true });
    clock.now += 15 * MINUTE;
    await process().work();
    expect(begun).toMatchObject([{ order: { trigger: 'schedule' } }]);
  });

  test('that makes no sense is passed over', async () => {
    const { process } = await openClock();
    const schedule = process();
    expect(() => schedule.onDue('soon')).not.toThrow();
    await schedule.stop();
  });
});
