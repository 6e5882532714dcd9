import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DOMAIN, SHEET_TOKEN, SPREADSHEET, STORE_TOKEN, TAB } from './connection.ts';

/** The steps that benches of a running server share, over REST; the store and the sheet are those of peers.ts. */
const POLL_MS = 1_000;

const Connected = z.object({ id: z.string() });
const Begun = z.object({ run_id: z.string(), status: z.string() });
const State = z.object({ status: z.string() });

/** Connects the store and the sheet. `store`: what its connection has beside. */
export async function connectBoth(url: string, store: object = {}) {
  const connect = async (path: string, body: object) => Connected.parse(await post(`${url}${path}`, body)).id;
  const store_id = await connect('/sync/store', {
    domain: DOMAIN,
    store_access_token: STORE_TOKEN,
    ...store,
  });
  const sheet_id = await connect('/sync/sheet', {
    spreadsheet_id: SPREADSHEET,
    sheet_name: TAB,
    access_token: SHEET_TOKEN,
    refresh_token: '1//test',
  });
  return { store_id, sheet_id, direction: 'store_to_sheet' };
}

/** A run waits 25 s for its end at most, and is then asked for. @returns its id and how it ended */
export async function runToEnd(url: string, order: object): Promise<{ id: string; status: string }> {
  let { run_id: id, status } = Begun.parse(await post(`${url}/sync/run`, order));
  while (['queued', 'planning', 'applying'].includes(status)) {
    await sleep(POLL_MS);
    ({ status } = State.parse(await (await fetch(`${url}/sync/history/${id}`)).json()));
  }
  return { id, status };
}

/** @throws Error for an answer that is not 2xx */
export async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
