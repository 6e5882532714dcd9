import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newId } from '../../../src/platform/ids.ts';
import { useTools } from '../../support/app.ts';
import { useAdmin } from './use-admin.ts';

const server = useAdmin();
const { admin, list, refused, journal } = server;

describe('work', () => {
  const job = async (status: string) => {
    const id = newId('job');
    await server.app.database.sql`
      insert into jobs (id, account_id, tool, input, caller, locale, base_url, status, error, finished_at)
      values (${id}, ${server.account}, 'export_template', '{}', ${server.app.database.sql.json({ actor: 'x', scopes: [], via: 'api_key' })},
        'en', '', ${status}, ${status === 'failed' ? server.app.database.sql.json({ key: 'internal.job_stopped', params: {}, errors: [], data: {} }) : null},
        ${status === 'failed' ? new Date() : null})`;
    return id;
  };

  test('that failed or waits for a person is listed, of all accounts or of one', async () => {
    const [failed, waiting, queued] = [await job('failed'), await job('waiting'), await job('queued')];
    const listed = await list(`jobs list --account ${server.account}`);
    expect(listed.map(({ id }) => id).toSorted()).toEqual([failed, waiting].toSorted());
    expect(listed.find(({ id }) => id === failed)).toMatchObject({
      kind: 'job',
      what: 'export_template',
      state: 'failed',
      error: 'internal.job_stopped',
    });
    expect(await list(`jobs list --state queued --account ${server.account}`)).toMatchObject([
      { id: queued },
    ]);
    expect((await list('jobs list')).length).toBeGreaterThanOrEqual(2);
    expect(await refused('jobs list --state lost')).toMatch(/^--state must be one of: waiting, queued/);
  });

  test('is canceled', async () => {
    const id = await job('waiting');
    await admin(`jobs cancel ${id}`);
    expect(await server.app.jobs.get(server.account, id)).toMatchObject({ status: 'canceled' });
    expect(await journal()).toEqual([{ action: 'job.canceled', target: id }]);
    expect(await refused(`jobs cancel ${await job('failed')}`)).toMatch(/failed/);
    expect(await refused('jobs cancel job_none')).toBe('No job, video or sync run has the ID job_none.');
  });

  test('a job that failed cannot be retried, and says why', async () => {
    expect(await refused(`jobs retry ${await job('failed')}`)).toMatch(
      /cannot be retried: the input of a job is deleted/,
    );
  });

  test('a canceled video is resumed', async () => {
    const call = useTools(server.app, server.caller);
    const { id } = z
      .object({ id: z.string() })
      .parse(await call('create_video', { title: 'Hello', duration: 1 }));
    expect(await list(`jobs list --state queued --account ${server.account}`)).toMatchObject([
      { id, kind: 'video' },
    ]);
    await admin(`jobs cancel ${id}`);
    expect(await server.app.videos.get(server.account, id)).toMatchObject({ status: 'canceled' });
    expect(await admin(`jobs retry ${id}`)).toMatchObject({ kind: 'video', runs: id });
    expect(await server.app.videos.get(server.account, id)).toMatchObject({ status: 'pending' });
    expect((await journal()).map(({ action }) => action)).toEqual(['video.retried', 'video.canceled']);
  });
});

/** A sync that runs every hour, of the demo store. */
async function newSync() {
  await server.app.planGrants.give(server.account, { app: 'sync', plan: 'pro', ends_at: null }, 'test');
  const call = useTools(server.app, server.caller);
  const store = await call('connect_store', { domain: 'demo.myshopify.com', store_access_token: 'demo' });
  const sheet = await call('connect_sheet', { spreadsheet_id: 'demo', name: 'Stock' });
  const config = await call('create_sync_config', {
    store_id: store['id'],
    sheet_id: sheet['id'],
    direction: 'store_to_sheet',
    mappings: [
      { sheet_column: 'SKU', store_field: 'sku' },
      { sheet_column: 'Stock', store_field: 'inventory_quantity' },
    ],
    schedule: { every_minutes: 60 },
  });
  return { id: String(config['id']), store: String(store['id']) };
}

describe('syncs', () => {
  test('are paused and resumed', async () => {
    const { id } = await newSync();
    expect(await list(`syncs list --account ${server.account}`)).toEqual([]);
    await admin(`syncs pause ${id}`);
    expect(await list(`syncs list --account ${server.account}`)).toMatchObject([
      { id, store: 'demo.myshopify.com', enabled: false, next_at: null },
    ]);
    await admin(`syncs resume ${id}`);
    expect(await list(`syncs list --state all --account ${server.account}`)).toMatchObject([
      { id, enabled: true, next_at: expect.stringMatching(/^\d{4}-/) },
    ]);
    expect((await journal()).map(({ action }) => action)).toEqual([
      'sync_config.resumed',
      'sync_config.paused',
    ]);
    expect(await refused('syncs pause cfg_none')).toBe('No sync configuration has the ID cfg_none.');
  });

  test('whose store must be connected again are listed, and the store is', async () => {
    const { id, store } = await newSync();
    expect(await list(`connections list --account ${server.account}`)).toEqual([]);
    await server.app.database.sql`update sync_stores set status = 'reconnect_required' where id = ${store}`;
    expect(await list(`connections list --account ${server.account}`)).toMatchObject([
      { id: store, kind: 'store', name: 'demo.myshopify.com', status: 'reconnect_required' },
    ]);
    expect(await list(`syncs list --account ${server.account}`)).toMatchObject([
      { id, store_status: 'reconnect_required' },
    ]);
    expect(await list(`connections list --status all --account ${server.account}`)).toHaveLength(2);
  });

  test('a run is started again', async () => {
    const { id } = await newSync();
    const run = await server.app.sync.runs.create(
      { accountId: server.account, actor: 'test' },
      { config_id: id },
    );
    await admin(`jobs cancel ${run.id}`);
    const again = await admin(`jobs retry ${run.id}`);
    expect(again['kind']).toBe('run');
    expect(await server.app.sync.runs.get(server.account, String(again['runs']))).toMatchObject({
      actor: 'operator',
    });
  });
});

describe('a change that cannot be in the audit log', () => {
  /** Refuses the operator's lines while it works, as a full disk would. */
  async function withoutLog(work: () => Promise<void>): Promise<void> {
    const { sql } = server.app.database;
    await sql`alter table audit_events add constraint no_lines check (actor <> 'operator') not valid`;
    await work().finally(() => sql`alter table audit_events drop constraint no_lines`);
  }
  const fails = async (line: string, name: 'admin' | 'keys' = 'admin') =>
    expect(await server.outcome(line, name)).toEqual({
      done: false,
      said: expect.stringContaining('no_lines'),
    });

  test('is not made: sessions stay, and no account is created', async () => {
    const { sql } = server.app.database;
    const user = newId('usr');
    const email = `${user.toLowerCase()}@shop.example`;
    await sql`insert into users (id, email, auth_provider) values (${user}, ${email}, 'code')`;
    await sql`insert into memberships (account_id, user_id, role) values (${server.account}, ${user}, 'owner')`;
    await sql`
      insert into sessions (id, token_sha256, user_id, account_id, expires_at)
      values (${newId('ses')}, ${newId('x')}, ${user}, ${server.account}, now() + interval '1 day')`;
    const name = newId('made');
    await withoutLog(async () => {
      await fails(`users sign-out ${email}`);
      await fails(`create ci --new-account ${name}`, 'keys');
    });
    expect(await sql`select from sessions where user_id = ${user}`).toHaveLength(1);
    expect(await sql`select from accounts where name = ${name}`).toHaveLength(0);
  });

  test('is not made: a job and a video go on, and a canceled one stays canceled', async () => {
    const { sql } = server.app.database;
    const job = newId('job');
    await sql`
      insert into jobs (id, account_id, tool, input, caller, locale, base_url, status)
      values (${job}, ${server.account}, 'export_template', '{}', ${sql.json({ actor: 'x', scopes: [], via: 'api_key' })},
        'en', '', 'waiting')`;
    const call = useTools(server.app, server.caller);
    const video = String((await call('create_video', { title: 'Hello', duration: 1 }))['id']);
    await withoutLog(async () => {
      await fails(`jobs cancel ${job}`);
      await fails(`jobs cancel ${video}`);
    });
    expect(await server.app.jobs.get(server.account, job)).toMatchObject({ status: 'waiting' });
    expect(await server.app.videos.get(server.account, video)).toMatchObject({ status: 'pending' });
    await admin(`jobs cancel ${video}`);
    await withoutLog(() => fails(`jobs retry ${video}`));
    expect(await server.app.videos.get(server.account, video)).toMatchObject({ status: 'canceled' });
  });

  test('is not made: a sync and its runs stay as they are', async () => {
    const { id } = await newSync();
    const run = await server.app.sync.runs.create(
      { accountId: server.account, actor: 'test' },
      { config_id: id },
    );
    await withoutLog(async () => {
      await fails(`syncs pause ${id}`);
      await fails(`jobs cancel ${run.id}`);
    });
    expect(await server.app.sync.configs.get(server.account, id)).toMatchObject({ enabled: true });
    expect(await server.app.sync.runs.get(server.account, run.id)).toMatchObject({ status: 'queued' });
    await admin(`jobs cancel ${run.id}`);
    await withoutLog(() => fails(`jobs retry ${run.id}`));
    expect((await server.app.sync.runs.list(server.account, { limit: 10 })).items).toHaveLength(1);
  });

  test('a new account has its first line', async () => {
    const { said } = await server.outcome('create ci --new-account Bakery', 'keys');
    const account = /Account: (acc_\w+)\./.exec(said)?.[1] ?? '';
    expect((await journal(account)).map(({ action }) => action)).toEqual([
      'api_key.created',
      'account.created',
    ]);
  });
});
