import { join } from 'node:path';
import type { App } from '../../src/app.ts';
import { isSettled } from '../../src/sync/runs/run.ts';
import type { Children } from '../children.ts';
import { DOMAIN, SHEET_TOKEN, SPREADSHEET, STORE_TOKEN, TAB } from '../sync/connection.ts';
import type { CallTool } from '../tool-calls.ts';

const PEERS = join(import.meta.dirname, '../sync/peers.ts');
const FIRST_RUN_MS = 5 * 60_000;

/** Serves a store of `n` variants and an empty sheet from a process whose time is not counted. Returns the settings that lead there. */
export async function startPair(children: Children, n: number, signal: AbortSignal) {
  const { url } = await children.start('peers', [PEERS, String(n), 'small']);
  const places: unknown = await (await fetch(`${url}/places`, { signal })).json();
  const { store, sheet } = places as { store: string; sheet: string };
  return { SHOPIFY_BASE_URL: store, GOOGLE_BASE_URL: sheet };
}

/** Connects both and writes every row of the sheet, as the runs before a plan have. Returns what a plan is of. */
export async function connectPair(app: App, call: CallTool, accountId: string) {
  const { stores, sheets, runs } = app.sync;
  const { signal } = new AbortController();
  const shop = { domain: DOMAIN, token: STORE_TOKEN };
  const { id: store_id } = await stores.connect(accountId, shop, signal);
  const tab = { spreadsheet: SPREADSHEET, sheetName: TAB, secrets: { accessToken: SHEET_TOKEN } };
  const { id: sheet_id } = await sheets.connect(accountId, tab, signal);
  const pair = { store_id, sheet_id, direction: 'store_to_sheet' };
  await runs.start();
  const { run_id: id } = await call('run_sync', { ...pair, wait_seconds: 0 });
  const ended = await runs.wait(accountId, String(id), AbortSignal.timeout(FIRST_RUN_MS), FIRST_RUN_MS);
  if (!isSettled(ended) || ended.status !== 'succeeded')
    throw new Error(`the first run is ${ended.status}: ${JSON.stringify(ended.errors.slice(0, 3))}`);
  return pair;
}
