import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type App, compose } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Caller } from '../../src/identity/caller.ts';
import { SCOPES } from '../../src/identity/caller.ts';
import { newId } from '../../src/platform/ids.ts';
import { RATE_NAMES } from '../../src/platform/rates.ts';
import { openTracing } from '../../src/platform/tracing/open-tracing.ts';
import { insertDefaultEnvironments } from '../../src/templates/repository/environment-repo.ts';
import type { Call } from '../../tools/contract/define.ts';
import { deliverByLink } from '../../tools/contract/delivered.ts';
import { invoke } from '../../tools/contract/invoke.ts';
import { restVoice } from '../../tools/contract/rest-voice.ts';
import { productRegistry } from '../../tools/index.ts';
import { openTestDatabase } from './database.ts';
import { newStarterAccount } from './starter-accounts.ts';

export const silentLog = pino({ level: 'silent' });

/** Every operation, without plug-ins. */
export const PRODUCT = productRegistry();

// Tests call more often than people, and beside each other; those of the limits set their own.
const UNHURRIED = JSON.stringify(
  Object.fromEntries(RATE_NAMES.map((name) => [name, { perSecond: 1_000_000, burst: 1_000_000 }])),
);

export type TestApp = App & {
  /** How many statements were sent since the last call of this. */
  queriesSince(): number;
};

/** The whole product over a database of its own. */
export async function openTestApp(env: Record<string, string> = {}): Promise<TestApp> {
  let queries = 0;
  const database = await openTestDatabase({
    onQuery: () => {
      queries++;
    },
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'stallhand-test-'));
  const config = readConfig({ RATE_LIMITS: UNHURRIED, TIME_LIMIT_FACTOR: '20', ...env, DATA_DIR: dataDir });
  const tracing = await openTracing({ settings: config.tracing, version: '1.2.3', log: () => silentLog });
  const app = await compose(database, config, silentLog, tracing);
  return {
    ...app,
    async close() {
      await app.close();
      await tracing.close();
      await rm(dataDir, { recursive: true, force: true });
    },
    queriesSince() {
      const count = queries;
      queries = 0;
      return count;
    },
  };
}

/** A new account with its starter templates, and a caller who may do everything in it. */
export async function newCaller(app: App, name = 'test'): Promise<Caller> {
  const accountId = await newStarterAccount(app, name);
  return { accountId, actor: name, scopes: SCOPES, via: 'api_key' };
}

/** A caller as `newCaller` has, whose account has no templates: starters take longer to write than most tests to run. */
export async function newBareCaller(app: App, name = 'test'): Promise<Caller> {
  return { accountId: await newBareAccount(app, name), actor: name, scopes: SCOPES, via: 'api_key' };
}

/** An account with all that a new one has but the starter templates; its id. */
export async function newBareAccount({ database: { sql } }: App, name = 'test'): Promise<string> {
  const id = newId('acc');
  await sql`insert into accounts (id, name, seeded) values (${id}, ${name}, true)`;
  await insertDefaultEnvironments(sql, id);
  return id;
}

const VOICE = restVoice(productRegistry().tools);

/** A call as REST would make it. */
export function callOf(app: App, caller: Caller, more: Partial<Call> = {}): Call {
  return {
    app,
    caller,
    signal: new AbortController().signal,
    log: silentLog,
    requestId: 'req_test',
    locale: 'en',
    voice: VOICE,
    baseUrl: 'http://stallhand.test',
    progress: () => {},
    text: () => {},
    deliver: deliverByLink(app, caller, 'http://stallhand.test'),
    sourceOf: () => 'body',
    ...more,
  };
}

type Json = Record<string, unknown>;

/** Calls tools by name as a transport would. Tests see exactly what a caller gets. */
export function useTools(app: App, caller: Caller, more: Partial<Call> = {}) {
  return async (name: string, input: Json = {}): Promise<Json> => {
    const tool = PRODUCT.find(name);
    if (!tool) throw new Error(`no tool ${name}`);
    const { output } = await invoke(tool, input, callOf(app, caller, more));
    return output as Json;
  };
}

export type Tools = ReturnType<typeof useTools>;
