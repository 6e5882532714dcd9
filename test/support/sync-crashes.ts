import type { Sql } from '../../src/platform/database/database.ts';
import { createWorker } from '../../src/platform/work/worker.ts';
import { createRunHandler } from '../../src/sync/runs/execute/run-handler.ts';
import { createRunStore } from '../../src/sync/runs/repositories/run-repo.ts';
import type { Run } from '../../src/sync/runs/run.ts';
import type { TestDatabase } from './database.ts';
import { CONFIG, caller, configure, partsOf, type Shop } from './sync-runs.ts';

/** What nothing in the product knows: the process is gone. */
class Crash extends Error {}

/** Counts the places a run could be killed at, and kills it at one of them: from then on nothing of it goes on. */
export function createReaper(at = Number.POSITIVE_INFINITY) {
  let passed = 0;
  return {
    passed: () => passed,
    isDead: () => passed >= at,
    pass(): void {
      if (passed < at) passed += 1;
      if (passed >= at) throw new Crash();
    },
  };
}
export type Reaper = ReturnType<typeof createReaper>;

/** A run of the shop, queued without a job: `execute` delivers it. */
export async function queueRun(database: TestDatabase, shop: Shop, nth: number): Promise<Run> {
  await configure(database, shop);
  return createRunStore(database.sql).insert({
    id: `run_${nth}`,
    accountId: caller.accountId,
    actor: 'test',
    config_id: CONFIG,
    store_id: 'sto_test',
    sheet_id: 'she_test',
    settings: shop.settings,
    trigger: 'manual',
    request: {},
    dryRun: false,
    status: 'queued',
    revertsRun: null,
    layout: null,
    expiresAt: null,
  });
}

/** Executes a run as one process would, which `reaper` may kill. */
export async function execute(
  database: TestDatabase,
  shop: Shop,
  { run, retry, reaper = createReaper() }: { run: Run; retry: number; reaper?: Reaper },
): Promise<void> {
  const worker = workerOf(database, shop, reaper);
  const job = { accountId: caller.accountId, id: run.id, priorAttempts: 0 };
  try {
    await worker.handle(job, {
      retryCount: retry,
      signal: new AbortController().signal,
      away: (wait) => wait(),
    });
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
}

/** What the queue does with a run that was delivered three times and never done. */
export async function giveUp(database: TestDatabase, shop: Shop, { id }: Run): Promise<void> {
  const job = { accountId: caller.accountId, id, priorAttempts: 0 };
  await workerOf(database, shop, createReaper()).abandoned(job);
}

function workerOf(database: TestDatabase, shop: Shop, reaper: Reaper) {
  const sql = mortal(database.sql, reaper);
  const parts = partsOf({ sql }, shop);
  const store = createRunStore(sql);
  const openSides = async () => mortalSides(shop, reaper);
  return createWorker({
    ...store,
    check: store.beat,
    ...createRunHandler({ ...parts, openSides }),
    release: async () => {},
    noun: 'run',
    log: parts.log,
  });
}

/** Functions of a side that send nothing, or nothing before their answer is read. */
const NO_CALLS: ReadonlySet<string | symbol> = new Set(['calls', 'read', 'directProducts']);

/** After every call of a side: before it is after what came before it. */
function mortalSides(shop: Shop, reaper: Reaper) {
  const sides = shop.sides();
  const around = <T extends object>(client: T): T =>
    new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || NO_CALLS.has(name)) return value;
        return async (...given: unknown[]) => {
          if (reaper.isDead()) reaper.pass();
          const answer: unknown = await value.apply(target, given);
          reaper.pass();
          return answer;
        };
      },
    });
  return { ...sides, store: around(sides.store), sheet: around(sides.sheet) };
}

/** After every statement, and after every transaction as a whole: within one is before it. */
function mortal(sql: Sql, reaper: Reaper): Sql {
  return new Proxy(sql, {
    apply(target, self, given) {
      const query = Reflect.apply(target, self, given);
      // Only what is awaited is a statement; a template's parts are not.
      return Array.isArray(given[0]) && 'raw' in given[0] ? around(query) : query;
    },
    get(target, name) {
      if (name !== 'begin') return Reflect.get(target, name);
      return async (work: Parameters<Sql['begin']>[1]) => {
        if (reaper.isDead()) reaper.pass();
        const result = await target.begin(work);
        reaper.pass();
        return result;
      };
    },
  });

  async function around(query: PromiseLike<unknown>): Promise<unknown> {
    if (reaper.isDead()) reaper.pass();
    const rows = await query;
    reaper.pass();
    return rows;
  }
}

/** The base of the shop: what both sides had, by SKU, in the order of `local-store.ts`. */
export async function knownBefore({ sql }: TestDatabase, quantities: Record<string, number>): Promise<void> {
  for (const [nth, [sku, quantity]] of Object.entries(quantities).entries())
    await sql`
      insert into sync_base (config_id, key, variant_id, product_id, item_id, row_no, vals)
      values (${CONFIG}, ${sku}, ${`gid://shopify/ProductVariant/${nth + 1}`}, ${`gid://shopify/Product/${nth + 1}`},
        ${`gid://shopify/InventoryItem/${nth + 1}`}, ${nth + 2}, array[${sku}, ${String(quantity)}])`;
}
