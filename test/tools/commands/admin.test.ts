import { describe, expect, test } from 'vitest';
import { run } from '../../../cli/cli.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { newId } from '../../../src/platform/ids.ts';
import { adminCommand } from '../../../tools/commands/admin/admin.ts';
import { runCommand } from '../../../tools/commands/road/road.ts';
import { testProgram, testTerminal } from '../../cli/terminal.ts';
import { newBareCaller } from '../../support/app.ts';
import { createEmpty, testServer } from '../../support/database.ts';
import { useAdmin } from './use-admin.ts';

const server = useAdmin();
const { admin, list, refused, journal } = server;

describe('accounts', () => {
  test('are listed, and found by a part of their name or by the address of an owner', async () => {
    const { sql } = server.app.database;
    await sql`insert into users (id, email, auth_provider) values (${`usr_${server.account}`}, ${`ana@${server.account.toLowerCase()}.example`}, 'code')`;
    await sql`insert into memberships (account_id, user_id, role) values (${server.account}, ${`usr_${server.account}`}, 'owner')`;
    const [found, ...others] = await list(`accounts list --query ${server.account.toLowerCase()}.exa`);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      id: server.account,
      owners: [`ana@${server.account.toLowerCase()}.example`],
      deleted_at: null,
    });
    expect((await list('accounts list --query bakery --limit 1')).length).toBe(1);
    expect(await list('accounts list --query no-such-bakery')).toEqual([]);
  });

  test('are shown with their plans, what they have and what they used', async () => {
    await server.app.keys.create(server.account, 'ci', ['templates:read'], null);
    expect(await admin(`accounts show ${server.account}`)).toMatchObject({
      id: server.account,
      plans: { hooks: 'free', sync: 'free' },
      counts: { keys: 1, videos: 0, unfinished_work: 0 },
      hooks_used: 0,
      hooks_limit: 50,
    });
    expect(await refused('accounts show acc_none')).toMatch(/acc_none/);
  });

  test('are shown by their ID alone, whatever a newer account is called', async () => {
    const user = newId('usr');
    const stranger = (await newBareCaller(server.app, server.account)).accountId;
    const { sql } = server.app.database;
    await sql`insert into users (id, email, auth_provider) values (${user}, ${`${user.toLowerCase()}@stranger.example`}, 'code')`;
    await sql`insert into memberships (account_id, user_id, role) values (${stranger}, ${user}, 'owner')`;
    expect(await admin(`accounts show ${server.account}`)).toMatchObject({ id: server.account, owners: [] });
  });

  test('get a plan for some days or for good, at once, and lose it when it is taken back', async () => {
    expect(
      await admin(`accounts plan ${server.account} --app hooks --plan enterprise --days 30`),
    ).toMatchObject({
      plan: 'enterprise',
    });
    expect((await server.app.entitlements.of(server.account)).hooks.plan).toBe('enterprise');
    await admin(`accounts plan ${server.account} --app hooks --plan pro`);
    expect((await server.app.entitlements.of(server.account)).hooks).toMatchObject({
      plan: 'pro',
      hooksLimit: 1000,
    });
    expect((await admin(`accounts show ${server.account}`))['grants']).toEqual([
      { app: 'hooks', plan: 'pro', ends_at: null },
    ]);
    await admin(`accounts plan ${server.account} --app hooks --plan none`);
    expect((await server.app.entitlements.of(server.account)).hooks.plan).toBe('free');
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    expect(await journal()).toEqual([
      { action: 'plan.taken_back', target: 'hooks', from: 'pro' },
      { action: 'plan.given', target: 'hooks', from: `enterprise until ${day}`, to: 'pro' },
      { action: 'plan.given', target: 'hooks', to: `enterprise until ${day}` },
    ]);
  });

  test('lose a plan whose days are over', async () => {
    const { sql } = server.app.database;
    await sql`
      insert into plan_grants (account_id, app, plan, ends_at) values (${server.account}, 'sync', 'pro', now() - interval '1 second')`;
    expect((await server.app.entitlements.of(server.account)).sync.plan).toBe('free');
  });

  test('take only plans that their app has', async () => {
    expect(await refused(`accounts plan ${server.account} --app hooks --plan pro_api`)).toMatch(
      /^--plan must be one of: pro, enterprise, none\./,
    );
    expect(await refused(`accounts plan ${server.account} --app mail --plan pro`)).toMatch(
      /^--app must be one of/,
    );
  });

  test.each([
    ['--plan none --days 30', /^--plan none takes the plan back immediately\. Leave out --days\./],
    ['--plan pro --days 1000000000', /^--days must be a whole number from 1 to 36500\./],
    ['--plan pro --days 0', /^--days must be a whole number from 1 to 36500\./],
  ])('take no days that mean nothing: %s', async (words, reason) => {
    expect(await refused(`accounts plan ${server.account} --app hooks ${words}`)).toMatch(reason);
    expect(await journal()).toEqual([]);
  });

  test('are closed as an owner deletes them, and opened again', async () => {
    const { key } = await server.app.keys.create(server.account, 'ci', ['templates:read'], null);
    expect((await admin(`accounts close ${server.account}`))['can_be_reopened_until']).toMatch(/^\d{4}-/);
    await expect(server.app.credentials.resolve(key, {})).rejects.toThrow();
    await admin(`accounts reopen ${server.account}`);
    expect(await server.app.credentials.resolve(key, {})).toMatchObject({ accountId: server.account });
    expect((await journal()).map(({ action }) => action)).toEqual(['account.restored', 'account.deleted']);
    const local = (await server.app.accounts.local()).id;
    expect(await refused(`accounts close ${local}`)).not.toContain('at ');
  });
});

describe('people', () => {
  test('are signed out everywhere', async () => {
    const { sql } = server.app.database;
    const user = newId('usr');
    const email = `${user.toLowerCase()}@shop.example`;
    await sql`insert into users (id, email, auth_provider) values (${user}, ${email}, 'code')`;
    await sql`insert into memberships (account_id, user_id, role) values (${server.account}, ${user}, 'owner')`;
    await sql`
      insert into sessions (id, token_sha256, user_id, account_id, expires_at)
      values (${newId('ses')}, ${newId('x')}, ${user}, ${server.account}, now() + interval '1 day')`;
    await admin(`users sign-out ${email}`);
    expect(await sql`select from sessions where user_id = ${user} and expires_at > now()`).toHaveLength(0);
    expect(await journal()).toEqual([{ action: 'sessions.ended', target: user }]);
    expect(await refused('users sign-out nobody@shop.example')).toBe(
      'No one has the address nobody@shop.example.',
    );
  });
});

describe('keys', () => {
  test('are made for an server.account, listed without their secret, and revoked', async () => {
    const made = await admin(`keys create ci --account ${server.account} --scopes templates:read --days 7`);
    expect(await server.app.keys.resolve(String(made['key']))).toMatchObject({
      accountId: server.account,
      scopes: ['templates:read'],
    });
    const listed = await list(`keys list --account ${server.account}`);
    expect(listed).toMatchObject([{ id: made['id'], name: 'ci', origin: 'operator' }]);
    expect(JSON.stringify(listed)).not.toContain(made['key']);
    await admin(`keys revoke ${made['id']}`);
    await expect(server.app.keys.resolve(String(made['key']))).rejects.toMatchObject({
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

describe('usage and limits', () => {
  test('say what accounts used in a month', async () => {
    const { sql } = server.app.database;
    await sql`insert into quota_months (account_id, month, used) values (${server.account}, '2026-02', 7)`;
    await sql`
      insert into ai_account_days (account_id, day, used) values (${server.account}, '2026-02-28', 1500000000), (${server.account}, '2026-03-01', 1)`;
    expect(await list(`usage --month 2026-02 --account ${server.account}`)).toMatchObject([
      { account_id: server.account, hooks: 7, videos: 0, sync_runs: 0, ai_usd: 1.5 },
    ]);
    expect(await list(`usage --month 2026-01 --account ${server.account}`)).toEqual([]);
    expect(await refused('usage --month 2026-13')).toMatch(/^--month must be/);
  });

  test('say how often accounts may call, and what one may use', async () => {
    expect(await list('limits')).toContainEqual({ name: 'sync', per_minute: 10, at_once: 10 });
    expect(await admin(`limits --account ${server.account}`)).toMatchObject({
      hooks: { hooks_limit: 50 },
      sync: { stores: { used: 0, limit: 1 } },
    });
  });
});

describe('the command line', () => {
  test('is run by the server that has the data', async () => {
    const { done, said } = await runCommand('admin', ['accounts', 'show', server.account], server.config());
    expect(done).toBe(true);
    expect(JSON.parse(said)).toMatchObject({ id: server.account });
  });

  test.runIf(testServer)('changes no schema of a PostgreSQL, and says what does', async () => {
    const { url, drop } = await createEmpty(testServer ?? '');
    const { done, said } = await runCommand(
      'admin',
      ['accounts', 'list'],
      server.config({ DATABASE_URL: url }),
    );
    expect({ done, said }).toEqual({ done: false, said: expect.stringContaining('Run `npm run migrate`') });
    const database = await openDatabase({ url, dataDir: server.dataDir });
    expect(await database.sql`select from pg_tables where schemaname = 'public'`).toHaveLength(0);
    await database.close();
    await drop();
  });

  test('has help for all of it and for a noun', async () => {
    const all = (await runCommand('admin', ['--help'], server.config())).said;
    expect(all.match(/^ {2}stallhand admin /gm)).toHaveLength(18);
    const some = (await runCommand('admin', ['keys', '--help'], server.config())).said;
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
