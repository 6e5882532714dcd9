import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createPrompts } from '../../../src/ai/prompts.ts';
import { Fault } from '../../../src/errors.ts';
import { createHooks } from '../../../src/hooks/hooks.ts';
import type { Caller } from '../../../src/identity/caller.ts';
import { createOpenaiWriter } from '../../../src/providers/openai.ts';
import { turnsOf } from '../../peers/turns-of.ts';
import { newBareCaller, useTools } from '../../support/app.ts';
import { type ModelApp, openModelApp } from '../../support/model-app.ts';

export const BREAD_TOO = ['Cold water fools your yeast twice.', 'curiosity'] as const;
export const topic = 'sourdough at home';

/** For a test file: a product with a model server, and a new account for each test. */
export function useWriting() {
  let hooks: ModelApp;
  let caller: Caller;

  beforeAll(async () => {
    hooks = await openModelApp();
  });
  beforeEach(async () => {
    caller = await newBareCaller(hooks.app);
  });
  afterAll(() => hooks.close());

  const call = (name: string, input: Record<string, unknown>) => useTools(hooks.app, caller)(name, input);

  return {
    get app() {
      return hooks.app;
    },
    get server() {
      return hooks.server;
    },
    get caller() {
      return caller;
    },
    call,
    generate: (input: Record<string, unknown> = {}) =>
      call('generate_hooks', { topic, language: 'en', ...input }),
    used: async () => (await hooks.app.quota.usage(caller.accountId)).hooks_used,

    async stored() {
      const { sql } = hooks.app.database;
      const rows = await sql`select text from hooks where account_id = ${caller.accountId} order by seq`;
      return rows.map(({ text }) => text);
    },

    /** The turns of the request this many from the end. */
    turns(fromEnd = 1) {
      const request = hooks.server.requests.at(-fromEnd);
      if (!request) throw new Error('the model was not asked');
      return turnsOf(request.body);
    },

    /** The product's hooks, composed with other parts. */
    hooksBy(parts: Partial<Parameters<typeof createHooks>[0]>) {
      const baseUrl = `${hooks.server.url}/v1`;
      const writer = createOpenaiWriter({ provider: 'openai', model: 'slow', baseUrl });
      const { entitlements, quota, visitorQuota, database } = hooks.app;
      return createHooks({
        ...{ sql: database.sql, entitlements, quota, visitorQuota, byokFree: false },
        prompts: createPrompts('prompts'),
        voices: { get: () => Promise.reject(new Error('no voices')) },
        brandVoice: async () => undefined,
        writers: { choose: async () => writer, isReady: () => true },
        defaultProvider: undefined,
        ...parts,
      });
    },
  };
}

export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Fault)) throw new Error(`no fault, but ${String(error)}`);
  return error;
}
