import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../../src/config.ts';
import type { Caller } from '../../../src/identity/caller.ts';
import { newId } from '../../../src/platform/ids.ts';
import { runInPlace } from '../../../tools/commands/road/run-in-place.ts';
import { type Host, hostGuests } from '../../../tools/stdio/host-guests.ts';
import { newBareCaller, openTestApp, PRODUCT, silentLog, type TestApp } from '../../support/app.ts';

const Row = z.record(z.string(), z.unknown());

/** The set-up of a test file about `stallhand admin`: a server with its data folder, and a new account for each test. */
export function useAdmin() {
  let app: TestApp;
  let dataDir: string;
  let host: Host;
  let caller: Caller;

  beforeAll(async () => {
    app = await openTestApp({
      SYNC_DEMO: 'true',
      ENCRYPTION_KEY: 'the-secret-of-a-server-in-tests-0123456789',
    });
    dataDir = await mkdtemp(join(tmpdir(), 'admin-'));
    host = await hostGuests({ app, config: config(), registry: PRODUCT, log: silentLog, baseUrl: '' });
  });
  afterAll(async () => {
    await host.close(0);
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    caller = await newBareCaller(app, `Bakery ${newId('x')}`);
  });

  const config = (more = {}) => readConfig({ DATA_DIR: dataDir, ...more });
  const outcome = (line: string, name: 'admin' | 'keys' = 'admin') =>
    runInPlace(name, line.split(' '), {
      config: config(),
      app: async () => app,
      database: async () => app.database,
    });
  async function answer(line: string): Promise<unknown> {
    const { done, said } = await outcome(line);
    if (!done) throw new Error(said);
    return JSON.parse(said);
  }

  return {
    get app() {
      return app;
    },
    get dataDir() {
      return dataDir;
    },
    get caller() {
      return caller;
    },
    get account() {
      return caller.accountId;
    },
    config,
    outcome,
    /** What a command answers. */
    admin: async (line: string) => Row.parse(await answer(line)),
    /** What a command lists. */
    list: async (line: string) => z.array(Row).parse(await answer(line)),
    /** Why a command fails. */
    async refused(line: string): Promise<string> {
      const { done, said } = await outcome(line);
      expect(done).toBe(false);
      return said;
    },
    /** What the operator did in an account, the last first. */
    async journal(account = caller.accountId) {
      const { items } = await app.audit.list(account, { limit: 20, actor: 'operator' });
      return items.map(({ action, target, from, to }) => ({
        ...{ action, target },
        ...(from && { from }),
        ...(to && { to }),
      }));
    },
  };
}
