import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { run } from '../../../cli/cli.ts';
import { readConfig } from '../../../src/config.ts';
import type { Caller } from '../../../src/identity/caller.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { newId } from '../../../src/platform/ids.ts';
import { adminCommand } from '../../../tools/commands/admin/admin.ts';
import { runCommand } from '../../../tools/commands/road/road.ts';
import { runInPlace } from '../../../tools/commands/road/run-in-place.ts';
import { type Host, hostGuests } from '../../../tools/stdio/host-guests.ts';
import { testProgram, testTerminal } from '../../cli/terminal.ts';
import { newBareCaller, openTestApp, PRODUCT, silentLog, type TestApp, useTools } from '../../support/app.ts';
import { createEmpty, testServer } from '../../support/database.ts';

let app: TestApp;
let dataDir: string;
let host: Host;
let caller: Caller;
let account: string;

beforeAll(async () => {
  app = await openTestApp({
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'the-secret-of-a-server-in-tests-0123456789',
  });
  dataDir = await mkdtemp(join(tmpdir(), 'admin-'));
  const config = readConfig({ DATA_DIR: dataDir });
  host = await hostGuests({ app, config, registry: PRODUCT, log: silentLog, baseUrl: '' });
});
afterAll(async () => {
  await host.close(0);
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  caller = await newBareCaller(app, `Bakery ${newId('x')}`);
  account = caller.accountId;
});

const outcome = async (line: string) => {
  const config = readConfig({ DATA_DIR: dataDir });
  const place = { config, app: async () => app, database: async () => app.database };
  return runInPlace('admin', line.split(' '), place);
};
const Row = z.record(z.string(), z.unknown());
/** What a command answers. */
async function answer(line: string): Promise<unknown> {
  const { done, said } = await outcome(line);
  if (!done) throw new Error(said);
  return JSON.parse(said);
}
const admin = async (line: string) => Row.parse(await answer(line));
const list = async (line: string) => z.array(Row).parse(await answer(line));
/** Why a command fails. */
const refused = async (line: string) => {
  const { done, said } = await outcome(line);
  expect(done).toBe(false);
  return said;
};
/** What the operator did in the account, the last first. */
const journal = async () =>
  (await app.audit.list(account, { limit: 20, actor: 'operator' })).items.map(
    ({ action, target, from, to }) => ({ action, target, ...(from && { from }), ...(to && { to }) }),
  );

describe('accounts', () => {
  test('are listed, and found by a part of their name or by the address of an owner', async () => {
    const { sql } = app.database;
    await sql`insert into users (id, email, auth_provider) values (${`usr_${account}`}, ${`ana@${account.toLowerCase()}.example`}, 'code')`;
    await sql`insert into memberships (account_id, user_id, role) values (${account}, ${`usr_${account}`}, 'owner')`;
    const [found, ...others] = await list(`accounts list --query ${account.toLowerCase()}.exa`);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      id: account,
      owners: [`ana@${account.toLowerCase()}.example`],
      deleted_at: null,
    });
    expect((await list('accounts list --query bakery --limit 1')).length).toBe(1);
    expect(await list('accounts list --query no-such-bakery')).toEqual([]);
  });

  test('are shown with their plans, what they have and what they used', async () => {
    await app.keys.create(account, 'ci', ['templates:read'], null);
    expect(await admin(`accounts show ${account}`)).toMatchObject({
      id: account,
      plans: { hooks: 'free', sync: 'free' },
      counts: { keys: 1, videos: 0, unfinished_work: 0 },
      hooks_used: 0,
      hooks_limit: 50,
    });
    expect(await refused('accounts show acc_none')).toMatch(/acc_none/);
  });

  test('are shown by their ID alone, whatever a newer account is called', async () => {
    const user = newId('usr');
    const stranger = (await newBareCaller(app, account)).accountId;
    const { sql } = app.database;
    await sql`insert into users (id, email, auth_provider) values (${user}, ${`${user.toLowerCase()}@stranger.example`}, 'code')`;
    await sql`insert into memberships (account_id, user_id, role) values (${stranger}, ${user}, 'owner')`;
    expect(await admin(`accounts show ${account}`)).toMatchObject({ id: account, owners: [] });
  });

  test('get a plan for some days or for good, at once, and lose it when it is taken back', async () => {
    expect(await admin(`accounts plan ${account} --app hooks --plan enterprise --days 30`)).toMatchObject({
      plan: 'enterprise',
    });
    expect((await app.entitlements.of(account)).hooks.plan).toBe('enterprise');
    await admin(`accounts plan ${account} --app hooks --plan pro`);
    expect((await app.entitlements.of(account)).hooks).toMatchObject({ plan: 'pro', hooksLimit: 1000 });
    expect((await admin(`accounts show ${account}`))['grants']).toEqual([
      { app: 'hooks', plan: 'pro', ends_at: null },
    ]);
    await admin(`accounts plan ${account} --app hooks --plan none`);
    expect((await app.entitlements.of(account)).hooks.plan).toBe('free');
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    expect(await journal()).toEqual([
      { action: 'plan.taken_back', target: 'hooks', from: 'pro' },
      { action: 'plan.given', target: 'hooks', from: `enterprise until ${day}`, to: 'pro' },
      { action: 'plan.given', target: 'hooks', to: `enterprise until ${day}` },
    ]);
  });

  test('lose a plan whose days are over', async () => {
    const { sql } = app.database;
    await sql`
      insert into plan_grants (account_id, app, plan, ends_at) values (${account}, 'sync', 'pro', now() - interval '1 second')`;
    expect((await app.entitlements.of(account)).sync.plan).toBe('free');
  });

  test('take only plans that their app has', async () => {
    expect(await refused(`accounts plan ${account} --app hooks --plan pro_api`)).toMatch(
      /^--plan must be one of: pro, enterprise, none\./,
    );
    expect(await refused(`accounts plan ${account} --app mail --plan pro`)).toMatch(/^--app must be one of/);
  });

  test.each([
    ['--plan none --days 30', /^--plan none takes the plan back immediately\. Leave out --days\./],
    ['--plan pro --days 1000000000', /^--days must be a whole number from 1 to 36500\./],
    ['--plan pro --days 0', /^--days must be a whole number from 1 to 36500\./],
  ])('take no days that mean nothing: %s', async (words, reason) => {
    expect(await refused(`accounts plan ${account} --app hooks ${words}`)).toMatch(reason);
    expect(await journal()).toEqual([]);
  });

  test('are closed as an owner deletes them, and opened again', async () => {
    const { key } = await app.keys.create(account, 'ci', ['templates:read'], null);
    expect((await admin(`accounts close ${account}`))['can_be_reopened_until']).toMatch(/^\d{4}-/);
    await expect(app.credentials.resolve(key, {})).rejects.toThrow();
    await admin(`accounts reopen ${account}`);
    expect(await app.credentials.resolve(key, {})).toMatchObject({ accountId: account });
    expect((await journal()).map(({ action }) => action)).toEqual(['account.restored', 'account.deleted']);
    const local = (await app.accounts.local()).id;
    expect(await refused(`accounts close ${local}`)).not.toContain('at ');
  });
});

describe('people', () => {
  test('are signed out everywhere', async () => {
    const { sql } = app.database;
    const user = newId('usr');
    const email = `${user.toLowerCase()}@shop.example`;
    await sql`insert into users (id, email, auth_provider) values (${user}, ${email}, 'code')`;
    await sql`insert into memberships (account_id, user_id, role) values (${account}, ${user}, 'owner')`;
    await sql`
      insert into sessions (id, token_sha256, user_id, account_id, expires_at)
      values (${newId('ses')}, ${newId('x')}, ${user}, ${account}, now() + interval '1 day')`;
    await admin(`users sign-out ${email}`);
    expect(await sql`select from sessions where user_id = ${user} and expires_at > now()`).toHaveLength(0);
    expect(await journal()).toEqual([{ action: 'sessions.ended', target: user }]);
    expect(await refused('users sign-out nobody@shop.example')).toBe(
      'No one has the address nobody@shop.example.',
    );
  });
});

describe('keys', () => {
  test('are made for an account, listed without their secret, and revoked', async () => {
    const made = await admin(`keys create ci --account ${account} --scopes templates:read --days 7`);
    expect(await app.keys.resolve(String(made['key']))).toMatchObject({
      accountId: account,
      scopes: ['templates:read'],
    });
    const listed = await list(`keys list --account ${account}`);
    expect(listed).toMatchObject([{ id: made['id'], name: 'ci', origin: 'operator' }]);
    expect(JSON.stringify(listed)).not.toContain(made['key']);
    await admin(`keys revoke ${made['id']}`);
    await expect(app.keys.resolve(String(made['key']))).rejects.toMatchObject({
      key: 'unauthenticated.wrong',
    });
    expect(await journal()).toEqual([
      { action: 'api_key.revoked', target: made['id'] },
      { action: 'api_key.created', target: made['id'] },
    ]);
    expect(await refused(`keys revoke ${made['id']}`)).toBe(`No key has the ID ${made['id']}.`);
    expect(await refused('keys create ci --account acc_none')).toMatch(/acc_none/);
  });
});

describe('work', () => {
  const job = async (status: string) => {
    const id = newId('job');
    await app.database.sql`
      insert into jobs (id, account_id, tool, input, caller, locale, base_url, status, error, finished_at)
      values (${id}, ${account}, 'export_template', '{}', ${app.database.sql.json({ actor: 'x', scopes: [], via: 'api_key' })},
        'en', '', ${status}, ${status === 'failed' ? app.database.sql.json({ key: 'internal.job_stopped', params: {}, errors: [], data: {} }) : null},
        ${status === 'failed' ? new Date() : null})`;
    return id;
  };

  test('that failed or waits for a person is listed, of all accounts or of one', async () => {
    const [failed, waiting, queued] = [await job('failed'), await job('waiting'), await job('queued')];
    const listed = await list(`jobs list --account ${account}`);
    expect(listed.map(({ id }) => id).toSorted()).toEqual([failed, waiting].toSorted());
    expect(listed.find(({ id }) => id === failed)).toMatchObject({
      kind: 'job',
      what: 'export_template',
      state: 'failed',
      error: 'internal.job_stopped',
    });
    expect(await list(`jobs list --state queued --account ${account}`)).toMatchObject([{ id: queued }]);
    expect((await list('jobs list')).length).toBeGreaterThanOrEqual(2);
    expect(await refused('jobs list --state lost')).toMatch(/^--state must be one of: waiting, queued/);
  });

  test('is canceled', async () => {
    const id = await job('waiting');
    await admin(`jobs cancel ${id}`);
    expect(await app.jobs.get(account, id)).toMatchObject({ status: 'canceled' });
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
    const call = useTools(app, caller);
    const { id } = z
      .object({ id: z.string() })
      .parse(await call('create_video', { title: 'Hello', duration: 1 }));
    expect(await list(`jobs list --state queued --account ${account}`)).toMatchObject([
      { id, kind: 'video' },
    ]);
    await admin(`jobs cancel ${id}`);
    expect(await app.videos.get(account, id)).toMatchObject({ status: 'canceled' });
    expect(await admin(`jobs retry ${id}`)).toMatchObject({ kind: 'video', runs: id });
    expect(await app.videos.get(account, id)).toMatchObject({ status: 'pending' });
    expect((await journal()).map(({ action }) => action)).toEqual(['video.retried', 'video.canceled']);
  });
});

/** A sync that runs every hour, of the demo store. */
async function newSync() {
  await app.planGrants.give(account, { app: 'sync', plan: 'pro', ends_at: null }, 'test');
  const call = useTools(app, caller);
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
    expect(await list(`syncs list --account ${account}`)).toEqual([]);
    await admin(`syncs pause ${id}`);
    expect(await list(`syncs list --account ${account}`)).toMatchObject([
      { id, store: 'demo.myshopify.com', enabled: false, next_at: null },
    ]);
    await admin(`syncs resume ${id}`);
    expect(await list(`syncs list --state all --account ${account}`)).toMatchObject([
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
    expect(await list(`connections list --account ${account}`)).toEqual([]);
    await app.database.sql`update sync_stores set status = 'reconnect_required' where id = ${store}`;
    expect(await list(`connections list --account ${account}`)).toMatchObject([
      { id: store, kind: 'store', name: 'demo.myshopify.com', status: 'reconnect_required' },
    ]);
    expect(await list(`syncs list --account ${account}`)).toMatchObject([
      { id, store_status: 'reconnect_required' },
    ]);
    expect(await list(`connections list --status all --account ${account}`)).toHaveLength(2);
  });

  test('a run is started again', async () => {
    const { id } = await newSync();
    const run = await app.sync.runs.create({ accountId: account, actor: 'test' }, { config_id: id });
    await admin(`jobs cancel ${run.id}`);
    const again = await admin(`jobs retry ${run.id}`);
    expect(again['kind']).toBe('run');
    expect(await app.sync.runs.get(account, String(again['runs']))).toMatchObject({ actor: 'operator' });
  });
});

describe('a change that cannot be in the audit log', () => {
  /** Refuses the operator's lines while it works, as a full disk would. */
  async function withoutLog(work: () => Promise<void>): Promise<void> {
    const { sql } = app.database;
    await sql`alter table audit_events add constraint no_lines check (actor <> 'operator') not valid`;
    await work().finally(() => sql`alter table audit_events drop constraint no_lines`);
  }
  const fails = async (line: string, name: 'admin' | 'keys' = 'admin') => {
    const config = readConfig({ DATA_DIR: dataDir });
    const place = { config, app: async () => app, database: async () => app.database };
    expect(await runInPlace(name, line.split(' '), place)).toEqual({
      done: false,
      said: expect.stringContaining('no_lines'),
    });
  };

  test('is not made: sessions stay, and no account is created', async () => {
    const { sql } = app.database;
    const user = newId('usr');
    const email = `${user.toLowerCase()}@shop.example`;
    await sql`insert into users (id, email, auth_provider) values (${user}, ${email}, 'code')`;
    await sql`insert into memberships (account_id, user_id, role) values (${account}, ${user}, 'owner')`;
    await sql`
      insert into sessions (id, token_sha256, user_id, account_id, expires_at)
      values (${newId('ses')}, ${newId('x')}, ${user}, ${account}, now() + interval '1 day')`;
    const name = newId('made');
    await withoutLog(async () => {
      await fails(`users sign-out ${email}`);
      await fails(`create ci --new-account ${name}`, 'keys');
    });
    expect(await sql`select from sessions where user_id = ${user}`).toHaveLength(1);
    expect(await sql`select from accounts where name = ${name}`).toHaveLength(0);
  });

  test('is not made: a job and a video go on, and a canceled one stays canceled', async () => {
    const { sql } = app.database;
    const job = newId('job');
    await sql`
      insert into jobs (id, account_id, tool, input, caller, locale, base_url, status)
      values (${job}, ${account}, 'export_template', '{}', ${sql.json({ actor: 'x', scopes: [], via: 'api_key' })},
        'en', '', 'waiting')`;
    const call = useTools(app, caller);
    const video = String((await call('create_video', { title: 'Hello', duration: 1 }))['id']);
    await withoutLog(async () => {
      await fails(`jobs cancel ${job}`);
      await fails(`jobs cancel ${video}`);
    });
    expect(await app.jobs.get(account, job)).toMatchObject({ status: 'waiting' });
    expect(await app.videos.get(account, video)).toMatchObject({ status: 'pending' });
    await admin(`jobs cancel ${video}`);
    await withoutLog(() => fails(`jobs retry ${video}`));
    expect(await app.videos.get(account, video)).toMatchObject({ status: 'canceled' });
  });

  test('is not made: a sync and its runs stay as they are', async () => {
    const { id } = await newSync();
    const run = await app.sync.runs.create({ accountId: account, actor: 'test' }, { config_id: id });
    await withoutLog(async () => {
      await fails(`syncs pause ${id}`);
      await fails(`jobs cancel ${run.id}`);
    });
    expect(await app.sync.configs.get(account, id)).toMatchObject({ enabled: true });
    expect(await app.sync.runs.get(account, run.id)).toMatchObject({ status: 'queued' });
    await admin(`jobs cancel ${run.id}`);
    await withoutLog(() => fails(`jobs retry ${run.id}`));
    expect((await app.sync.runs.list(account, { limit: 10 })).items).toHaveLength(1);
  });

  test('a new account has its first line', async () => {
    const config = readConfig({ DATA_DIR: dataDir });
    const place = { config, app: async () => app, database: async () => app.database };
    const { said } = await runInPlace('keys', ['create', 'ci', '--new-account', 'Bakery'], place);
    account = /Account: (acc_\w+)\./.exec(said)?.[1] ?? '';
    expect((await journal()).map(({ action }) => action)).toEqual(['api_key.created', 'account.created']);
  });
});

describe('usage and limits', () => {
  test('say what accounts used in a month', async () => {
    const { sql } = app.database;
    await sql`insert into quota_months (account_id, month, used) values (${account}, '2026-02', 7)`;
    await sql`
      insert into ai_account_days (account_id, day, used) values (${account}, '2026-02-28', 1500000000), (${account}, '2026-03-01', 1)`;
    expect(await list(`usage --month 2026-02 --account ${account}`)).toMatchObject([
      { account_id: account, hooks: 7, videos: 0, sync_runs: 0, ai_usd: 1.5 },
    ]);
    expect(await list(`usage --month 2026-01 --account ${account}`)).toEqual([]);
    expect(await refused('usage --month 2026-13')).toMatch(/^--month must be/);
  });

  test('say how often accounts may call, and what one may use', async () => {
    expect(await list('limits')).toContainEqual({ name: 'sync', per_minute: 10, at_once: 10 });
    expect(await admin(`limits --account ${account}`)).toMatchObject({
      hooks: { hooks_limit: 50 },
      sync: { stores: { used: 0, limit: 1 } },
    });
  });
});

describe('the command line', () => {
  const config = () => readConfig({ DATA_DIR: dataDir });

  test('is run by the server that has the data', async () => {
    const { done, said } = await runCommand('admin', ['accounts', 'show', account], config());
    expect(done).toBe(true);
    expect(JSON.parse(said)).toMatchObject({ id: account });
  });

  test.runIf(testServer)('changes no schema of a PostgreSQL, and says what does', async () => {
    const { url, drop } = await createEmpty(testServer ?? '');
    const { done, said } = await runCommand(
      'admin',
      ['accounts', 'list'],
      readConfig({ DATABASE_URL: url, DATA_DIR: dataDir }),
    );
    expect({ done, said }).toEqual({ done: false, said: expect.stringContaining('Run `npm run migrate`') });
    const database = await openDatabase({ url, dataDir });
    expect(await database.sql`select from pg_tables where schemaname = 'public'`).toHaveLength(0);
    await database.close();
    await drop();
  });

  test('has help for all of it and for a noun', async () => {
    const all = (await runCommand('admin', ['--help'], config())).said;
    expect(all.match(/^ {2}stallhand admin /gm)).toHaveLength(18);
    const some = (await runCommand('admin', ['keys', '--help'], config())).said;
    expect(some.match(/^ {2}stallhand admin keys /gm)).toHaveLength(3);
    expect(adminCommand.usage).toBe(all);
  });

  test('stallhand admin without words lists its commands, and one that is wrong ends with 1', async () => {
    const { terminal, said } = testTerminal();
    const program = testProgram(terminal, { url: undefined, apiKey: undefined, language: 'en' } as never);
    expect(await run(['admin'], program)).toBe(undefined);
    expect(said.out).toContain('stallhand admin accounts list');
    expect(await run(['admin', '--help'], program)).toBe(undefined);
  });

  test.each([
    ['accounts', /^Unknown command 'accounts'\.\n\nManages/],
    ['accounts show', /^Write: admin accounts show ACCOUNT\n/],
    ['accounts list --limit 0', /^--limit must be a whole number/],
    ['accounts list --color red', /Unknown option '--color'/],
  ])('that is wrong says how it is right: %s', async (line, reason) => {
    expect(await refused(line)).toMatch(reason);
  });
});
