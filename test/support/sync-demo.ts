import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { SyncPlan } from '../../src/plans.ts';
import { openTestApp, type TestApp } from './app.ts';
import { givePlan } from './plans.ts';
import { type Answer, newBareKey, startTestServer, type TestServer, useRest } from './server.ts';

export const TOKEN = 'shpat_token-of-the-demo-store';
export const RENEWED = 'shpat_token-renewed';
export const ACCESS = 'ya29.access-token-of-the-sheet';
export const REFRESH = '1//refresh-token-of-the-sheet';
export const WEBHOOK = 'whsec_of-the-demo-store';
const SECRETS = [TOKEN, RENEWED, ACCESS, REFRESH, WEBHOOK, '-----BEGIN'];

export const STORE = { domain: 'demo.myshopify.com', store_access_token: TOKEN };
export const SHEET = {
  spreadsheet_id: 'demo',
  name: 'Stock list',
  access_token: ACCESS,
  refresh_token: REFRESH,
};

export const said = ({ status, body }: Answer) => [status, body['code']];

/** The set-up of a test file: the product with the demo's store and sheet, and a new account with a key for each test. */
export function useSyncDemo() {
  let app: TestApp;
  let server: TestServer;
  let accountId: string;
  let key: string;
  let written = '';
  let answered = '';
  const log = pino(
    { level: 'debug' },
    new Writable({
      write(chunk, _encoding, done) {
        written += String(chunk);
        done();
      },
    }),
  );

  beforeAll(async () => {
    app = await openTestApp({
      SYNC_DEMO: 'true',
      ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
    });
    server = await startTestServer(app, {}, { log });
  });
  afterAll(async () => {
    await server.close();
    await app.close();
  });
  beforeEach(async () => {
    ({ accountId, key } = await newBareKey(app));
  });

  const rest: ReturnType<typeof useRest> = async (...call) => {
    const answer = await useRest(server.url, key)(...call);
    answered += JSON.stringify([answer.body, [...answer.headers]]);
    return answer;
  };
  const connectStore = (body: object = STORE) => rest('POST', '/sync/store', { body });
  const connectSheet = (body: object = SHEET) => rest('POST', '/sync/sheet', { body });

  return {
    get app(): TestApp {
      return app;
    },
    get url(): string {
      return server.url;
    },
    get accountId(): string {
      return accountId;
    },
    get key(): string {
      return key;
    },

    rest,
    connectStore,
    connectSheet,

    async connectBoth(): Promise<{ store_id: unknown; sheet_id: unknown }> {
      const [store, sheet] = [await connectStore(), await connectSheet()];
      return { store_id: store.body['id'], sheet_id: sheet.body['id'] };
    },

    giveSyncPlan: (plan: SyncPlan) => givePlan(app, accountId, plan, 'sync'),

    /** Where a secret of the store or the sheet can be read, of all that the tests so far have left; and what was read. */
    async leaks() {
      const rows = await app.database.sql`
        select s::text as text from sync_stores s union all select s::text from sync_sheets s
        union all select i::text from idempotency_keys i`;
      const tables = rows.map((row) => String(row['text'])).join('\n');
      const read = { written, answered, tables };
      const found = Object.entries(read).flatMap(([place, text]) =>
        SECRETS.filter((secret) => text.includes(secret)).map((secret) => [place, secret]),
      );
      return { read, found };
    },
  };
}
