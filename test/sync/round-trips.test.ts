import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, compose } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { newBareCaller, silentLog, useTools } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';

const MAX_STATEMENTS = 30;

const sent: string[] = [];
let dataDir: string;
let app: App;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stallhand-test-'));
  const database = await openTestDatabase({ onQuery: (text) => sent.push(text.replace(/\s+/g, ' ').trim()) });
  const settings = {
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'a key that only this test has, and no other',
    DATA_DIR: dataDir,
  };
  app = await compose(database, readConfig(settings), silentLog);
  await app.sync.start();
});
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

test.each(['store_to_sheet', 'two_way'])(
  `a sync with nothing to change takes at most ${MAX_STATEMENTS} statements: %s`,
  async (direction) => {
    const call = useTools(app, await newBareCaller(app));
    const store = await call('connect_store', { domain: 'demo.myshopify.com', store_access_token: 'any' });
    const sheet = await call('connect_sheet', { spreadsheet_id: 'demo', access_token: 'any' });
    const order = { store_id: store['id'], sheet_id: sheet['id'], direction, initial: 'store' };
    await call('run_sync', order);
    await hasForgotten();
    sent.length = 0;
    expect(await call('run_sync', order)).toMatchObject({ status: 'succeeded', changed: 0, errors: [] });
    await hasForgotten();
    const statements = ownStatements();
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(MAX_STATEMENTS);
  },
);

/** The last thing that a run does, after its caller has the answer: what it has read is deleted. */
async function hasForgotten(): Promise<void> {
  await expect
    .poll(async () => {
      const [left] = await app.database.sql`
      select exists (select from sync_read_store) or exists (select from sync_read_sheet) as any_read`;
      return left;
    })
    .toEqual({ any_read: false });
}

/** Without those of the queue, those of this test, and progress, which is written by the clock. */
function ownStatements(): string[] {
  const isTest = (text: string) => text.includes('any_read');
  const isProgress = (text: string) => text.startsWith('update sync_runs set progress');
  // Each of the queue's transactions sets its timeout first.
  const queueTransactions = sent.filter((text) => text.includes('set local statement_timeout')).length;
  const isQueue = (text: string) => text.includes('pgboss') || text.includes('set local statement_timeout');
  const isFrame = (text: string) => text === 'begin' || text === 'commit';
  const statements = sent.filter((text) => !isQueue(text) && !isTest(text) && !isProgress(text));
  const frames = statements.filter(isFrame).slice(2 * queueTransactions);
  return [...statements.filter((text) => !isFrame(text)), ...frames];
}
