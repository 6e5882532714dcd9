import { pino } from 'pino';
import { type App, compose } from '../../src/app.ts';
import type { Caller } from '../../src/identity/caller.ts';
import { SCOPES } from '../../src/identity/caller.ts';
import type { Call } from '../../tools/define.ts';
import { productRegistry } from '../../tools/index.ts';
import { invoke } from '../../tools/invoke.ts';
import { openTestDatabase } from './database.ts';

export const silentLog = pino({ level: 'silent' });

export type TestApp = App & {
  /** How many statements were sent since the last call of this. */
  queriesSince(): number;
};

/** The whole product over a database of its own. */
export async function openTestApp(): Promise<TestApp> {
  let queries = 0;
  const database = await openTestDatabase({
    onQuery: () => {
      queries++;
    },
  });
  const app = await compose(database, silentLog);
  return {
    ...app,
    queriesSince() {
      const count = queries;
      queries = 0;
      return count;
    },
  };
}

/** A new account with its starter templates, and a caller who may do everything in it. */
export async function newCaller(app: App, name = 'test'): Promise<Caller> {
  const { id } = await app.accounts.create(name);
  return { accountId: id, actor: name, scopes: SCOPES, via: 'api_key' };
}

/** A call as a door would make it. */
export function callOf(app: App, caller: Caller, more: Partial<Call> = {}): Call {
  return {
    app,
    caller,
    signal: new AbortController().signal,
    log: silentLog,
    requestId: 'req_test',
    locale: 'en',
    progress: () => {},
    sourceOf: () => 'body',
    ...more,
  };
}

type Json = Record<string, unknown>;

/** Calls operations by name as a door would; what a test sees is what a caller gets. */
export function useTools(app: App, caller: Caller, more: Partial<Call> = {}) {
  const registry = productRegistry();
  return async (name: string, input: Json = {}): Promise<Json> => {
    const tool = registry.find(name);
    if (!tool) throw new Error(`no tool ${name}`);
    const { output } = await invoke(tool, input, callOf(app, caller, more));
    return output as Json;
  };
}

export type Tools = ReturnType<typeof useTools>;
