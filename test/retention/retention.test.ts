import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderBlobs } from '../../src/platform/blobs/folder-blobs.ts';
import { newId } from '../../src/platform/ids.ts';
import { createQueue } from '../../src/platform/queue/queue.ts';
import type { RetentionDays } from '../../src/retention/kinds.ts';
import { createRetention, type Retained } from '../../src/retention/retention.ts';
import { TABLES } from '../../src/retention/tables.ts';
import { newBareAccount, openTestApp, silentLog, type TestApp } from '../support/app.ts';
import { givePlan } from '../support/plans.ts';

const RETENTION = { videos: { free: 30, paid: 365 }, hooks: 100 } satisfies RetentionDays;
const DAY_MS = 86_400_000;

let app: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-test-'));
  app = await openTestApp({ BLOBS_DIR: folder, RETENTION: JSON.stringify(RETENTION) });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const blobs = () => createFolderBlobs(folder);

describe('the list of terms', () => {
  test('has every table, and no other', async () => {
    const rows = await app.database.sql`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`;
    expect(Object.keys(TABLES).sort(), 'say in src/retention/tables.ts how long its rows stay').toEqual(
      rows.map(({ name }) => name).sort(),
    );
  });
});

describe('a pass', () => {
  test('deletes what is past its term, of each kind, and nothing else', async () => {
    const free = await newBareAccount(app);
    const paid = await newBareAccount(app);
    await givePlan(app, paid, 'pro');
    for (const account of [free, paid]) for (const days of [410, 390, 200, 50, 1]) await fill(account, days);
    await app.retention.pass();
    const recent = [1, 50, 200, 390];
    expect(await kept(free)).toEqual({
      videos: [1],
      blobs: [1],
      hooks: [1, 50],
      runs: recent,
      changes: recent,
      events: recent,
      reservations: recent,
    });
    expect(await kept(paid)).toEqual({ ...(await kept(free)), videos: [1, 50, 200], blobs: [1, 50, 200] });
  });

  test('keeps what others point at: held reservations, the newest run, a run in doubt', async () => {
    const account = await newBareAccount(app);
    const { sql } = app.database;
    await fill(account, 500);
    await fill(account, 450);
    await sql`update sync_runs set counts = '{"sent": 1}' where id = ${`run_${account}_500`}`;
    await sql`update quota_reservations set state = 'held', ended_at = null where id = ${`res_${account}_500`}`;
    await app.retention.pass();
    expect(await kept(account)).toMatchObject({ runs: [450, 500], changes: [450, 500], reservations: [500] });
    await sql`update sync_runs set counts = '{}' where id = ${`run_${account}_500`}`;
    await app.retention.pass();
    expect(await kept(account)).toMatchObject({ runs: [450], changes: [450] });
  });

  test('takes at most 1,000 rows in a statement', async () => {
    const account = await newBareAccount(app);
    const { sql } = app.database;
    await sql`
      insert into audit_events (id, account_id, actor, action, target, detail, created_at)
      select 'evt_' || n || ${account}, ${account}, 'a', 'b', 'c', '{}', ${ago(500)} from generate_series(1, 2500) n`;
    const counts: number[] = [];
    await retention([
      {
        kind: 'audit_events',
        rows: {
          ...app.audit,
          async removeOld(id, before, limit) {
            const count = id === account ? await app.audit.removeOld(id, before, limit) : 0;
            if (id === account) counts.push(count);
            return count;
          },
        },
      },
    ]).pass();
    expect(counts).toEqual([1_000, 1_000, 500, 0]);
  });

  test('sends no statement more for accounts that have nothing old', async () => {
    await app.retention.pass();
    app.queriesSince();
    await app.retention.pass();
    const before = app.queriesSince();
    for (let nth = 0; nth < 20; nth++) await fill(await newBareAccount(app), 1);
    app.queriesSince();
    await app.retention.pass();
    expect(app.queriesSince()).toBe(before);
  });

  test('goes on with the next kind and account after a failure', async () => {
    const account = await newBareAccount(app);
    await fill(account, 500);
    const broken = () => Promise.reject(new Error('broken'));
    await retention([
      { kind: 'usage', rows: { accountsWithOld: broken, removeOld: broken } },
      { kind: 'usage', rows: { ...app.quota, removeOld: broken } },
      { kind: 'audit_events', rows: { ...app.audit, accountsWithOld: broken } },
    ]).pass();
    expect(await kept(account)).toMatchObject({ events: [], reservations: [500] });
  });

  test('is one a day, by one of all processes', async () => {
    const passes: string[] = [];
    const account = await newBareAccount(app);
    const nodes = ['a', 'b'].map((name) => {
      const queue = createQueue({ database: app.database, log: silentLog });
      const seen: Retained = {
        kind: 'usage',
        rows: {
          accountsWithOld: async (ids) => ids,
          async removeOld(id) {
            if (id === account) passes.push(name);
            return 0;
          },
        },
      };
      return { queue, node: retention([seen], queue) };
    });
    for (let hour = 0; hour < 3; hour++) await Promise.all(nodes.map(({ node }) => node.work()));
    await expect.poll(() => passes.length).toBe(1);
    await expect
      .poll(async () => (await app.database.sql`select state from pgboss.job where name = 'retention'`)[0])
      .toEqual({ state: 'completed' });
    await Promise.all(nodes.map(({ node }) => node.work()));
    await delay(100);
    expect(passes).toHaveLength(1);
    for (const { queue, node } of nodes) {
      await node.close();
      await queue.close();
    }
  });
});

function retention(
  retained: readonly Retained[],
  queue = createQueue({ database: app.database, log: silentLog }),
) {
  return createRetention({
    ...{ sql: app.database.sql, queue, log: silentLog, retained },
    days: undefined,
    planOf: async () => 'free',
    batches: { pauseMs: 0 },
  });
}

/** One row of each kind, so many days old. */
async function fill(account: string, days: number): Promise<void> {
  const { sql } = app.database;
  const at = ago(days);
  const id = `${account}_${days}`;
  const key = `videos/${account}/vid_${days}/stp_1-1-file`;
  await blobs().put(key, new Uint8Array(days));
  await sql`
    insert into videos (id, account_id, title, duration, template, format, quality, width, height, fps, frames, poster_frame,
      request, page, status, files, created_at, ended_at)
    values (${`vid_${id}`}, ${account}, ${days}, 1, 'default', 'mp4', 'draft', 10, 10, 10, 10, 0, '{}', '{}', 'completed',
      ${sql.json({ file: { key, bytes: days, sha256: '' } })}, ${at}, ${at})`;
  const generation = newId('gen');
  await sql`
    insert into generations (id, account_id, actor, topic, provider, requested, created_at)
    values (${generation}, ${account}, 'a', ${days}, 'builtin', 1, ${at})`;
  await sql`
    insert into hooks (id, account_id, generation_id, position, text, style, score, why, pattern, chars, seconds, flags)
    values (${newId('hook')}, ${account}, ${generation}, 0, 'text', 'question', 1, '', '', 4, 1, '{}')`;
  await sql`
    insert into sync_stores (id, account_id, domain, credentials, token_hint, name, currency)
    values (${`sto_${account}`}, ${account}, 'a.myshopify.com', '', '', '', 'USD') on conflict do nothing`;
  await sql`
    insert into sync_sheets (id, account_id, spreadsheet_id, name, sheet_name, credentials, token_hint)
    values (${`she_${account}`}, ${account}, 'x', '', '', '', '') on conflict do nothing`;
  await sql`
    insert into sync_configs (id, account_id, store_id, sheet_id, direction, mappings, options)
    values (${`cfg_${account}`}, ${account}, ${`sto_${account}`}, ${`she_${account}`}, 'two_way', '[]', '{}')
    on conflict do nothing`;
  await sql`
    insert into sync_runs (id, account_id, config_id, store_id, sheet_id, tab, trigger, direction, status, settings, actor, locale,
      created_at, finished_at)
    values (${`run_${id}`}, ${account}, ${`cfg_${account}`}, '', '', '', 'manual', 'two_way', 'succeeded', '{}', 'a', 'en',
      ${at}, ${at})`;
  await sql`
    insert into sync_changes (run_id, seq, account_id, key, field, side, kind, batch)
    values (${`run_${id}`}, 1, ${account}, 'k', 'f', 'store', 'set', 0)`;
  await sql`
    insert into audit_events (id, account_id, actor, action, target, detail, created_at)
    values (${`evt_${id}`}, ${account}, 'a', 'b', ${days}, '{}', ${at})`;
  await sql`
    insert into quota_reservations (id, account_id, month, requested, plan_units, credit_units, state, created_at, kept_at, ended_at)
    values (${`res_${id}`}, ${account}, '2020-01', 1, 1, 0, 'settled', ${at}, ${at}, ${at})`;
}

/** The age in days of the remaining rows of each kind. */
async function kept(account: string) {
  const { sql } = app.database;
  const bytes = (await Array.fromAsync(blobs().keys(new Date(Date.now() + DAY_MS))))
    .filter((key) => key.startsWith(`videos/${account}/`))
    .map((key) => Number(/vid_(\d+)/.exec(key)?.[1]));
  const [row] = await sql`
    select
      (select coalesce(jsonb_agg(title::int order by title::int), '[]') from videos where account_id = ${account}) as videos,
      (select coalesce(jsonb_agg(topic::int order by topic::int), '[]') from generations g
        where account_id = ${account} and exists (select from hooks h where h.generation_id = g.id)) as hooks,
      (select coalesce(jsonb_agg(substring(id from '\\d+$')::int order by seq), '[]') from sync_runs
        where account_id = ${account}) as runs,
      (select coalesce(jsonb_agg(substring(run_id from '\\d+$')::int), '[]') from sync_changes
        where account_id = ${account}) as changes,
      (select coalesce(jsonb_agg(target::int order by seq), '[]') from audit_events where account_id = ${account}) as events,
      (select coalesce(jsonb_agg(substring(id from '\\d+$')::int), '[]') from quota_reservations
        where account_id = ${account}) as reservations`;
  const sorted = Object.entries({ ...row, blobs: bytes }).map(([kind, ages]) => [
    kind,
    (ages as number[]).sort((a, b) => a - b),
  ]);
  return Object.fromEntries(sorted) as Record<string, number[]>;
}
