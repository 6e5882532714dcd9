import { pino } from 'pino';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createQueue } from '../../src/platform/queue/queue.ts';
import { createGoogleSheets } from '../../src/providers/sheets/sheets.ts';
import { systemClock } from '../../src/providers/shopify/shop-client.ts';
import { createShopifyStores } from '../../src/providers/shopify/shopify.ts';
import { DEFAULT_MAPPINGS, SyncSettings } from '../../src/sync/config.ts';
import { createPlanner } from '../../src/sync/plan/plan.ts';
import type { Run } from '../../src/sync/runs/run.ts';
import { createRuns } from '../../src/sync/runs/runs.ts';
import { createThrottleStore } from '../../src/sync/throttle-repo.ts';
import {
  ACCOUNT,
  CONFIG,
  DOMAIN,
  SHEET,
  SHEET_TOKEN,
  SPREADSHEET,
  STORE,
  STORE_TOKEN,
  TAB,
  Task,
} from './connection.ts';
import { startMeter } from './meter.ts';

/** One run of the product, composed of what a run needs and no more; prints what it cost as JSON. */
const LONGEST_MS = 10 * 60_000;

const task = Task.parse(JSON.parse(process.argv[2] ?? ''));
const database = await openDatabase({ url: process.env['DATABASE_URL'], dataDir: '' });
const { sql } = database;
let meter = startMeter();

const stores = createShopifyStores({
  apiVersion: '2026-10',
  baseUrl: task.store,
  throttles: createThrottleStore(sql),
  clock: { now: Date.now, wait: (ms, signal) => meter.waiting(systemClock.wait(ms, signal)) },
});
const sheets = createGoogleSheets({
  baseUrl: task.sheet,
  clock: { now: Date.now, sleep: (ms, signal) => meter.waiting(systemClock.wait(ms, signal)) },
});
const settings = SyncSettings.parse({
  direction: task.direction,
  mappings: DEFAULT_MAPPINGS,
  options: {},
});

const log = pino({ level: 'warn' }, pino.destination(2));
const queue = createQueue({ database, log });
const runs = createRuns({
  sql,
  queue,
  planner: createPlanner({ sql }),
  settingsOf: async () => ({ store_id: STORE, sheet_id: SHEET, settings }),
  openSides: async () => ({
    store: stores.open({ domain: DOMAIN, credentials: { token: STORE_TOKEN } }),
    sheet: await sheets.open({
      spreadsheetId: SPREADSHEET,
      credentials: { accessToken: SHEET_TOKEN },
      accountId: ACCOUNT,
    }),
    locationId: task.location,
    currency: 'EUR',
    tab: { title: TAB, id: 0 },
  }),
  connectionFailed: async (_run, side, fault) => console.error(side, fault),
  log,
});
const listener = await sql.listen('sync_runs', runs.onNotify, runs.onReconnect);
await runs.start();

meter = startMeter();
const caller = { accountId: ACCOUNT, actor: 'bench', locale: 'en' } as const;
const { id } = await runs.create(caller, { config_id: CONFIG });
const run = await runs.wait(ACCOUNT, id, AbortSignal.timeout(LONGEST_MS), LONGEST_MS);
const cost = meter.read({
  rows: run.counts.store_rows ?? 0,
  changed: run.counts.changed ?? 0,
  seconds: secondsOf(run),
});
await runs.close();
await queue.close();
await listener.unlisten();
await database.close();
if (run.status !== 'succeeded')
  throw new Error(`the run ${run.status}: ${JSON.stringify(run.errors.slice(0, 5))}`);
console.log(JSON.stringify(cost));

/** Of the run itself, without its place in the queue. */
function secondsOf({ started_at, finished_at }: Run): number {
  return (Number(finished_at) - Number(started_at)) / 1000;
}
