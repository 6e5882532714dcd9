import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '../../src/identity/caller.ts';
import * as membershipRepo from '../../src/identity/members/membership-repo.ts';
import { newId } from '../../src/platform/ids.ts';
import { newBareAccount } from '../support/app.ts';
import { givePlan } from '../support/plans.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { useRest } from '../support/server.ts';

let app: ServedApp;
let accountId: string;

beforeAll(async () => {
  app = await openServedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  accountId = await newBareAccount(app, 'Bakery Sol');
  await givePlan(app, accountId, 'enterprise');
});

type Rest = ReturnType<typeof useRest>;

/** Someone of the account who has just signed in. */
async function join(role: Role, account = accountId): Promise<{ id: string; token: string; rest: Rest }> {
  const id = newId('usr');
  await app.database.sql`
    insert into users (id, email, email_verified, auth_provider) values (${id}, ${`${id}@shop.example`}, true, 'code')`;
  await membershipRepo.insert(app.database.sql, account, id, role);
  const session = await app.sessions.open({ userId: id, accountId: account, passwordHash: null }, {});
  const token = session?.token ?? '';
  return { id, token, rest: useRest(app.url, token) };
}

const outcome = async (rest: Rest, method: string, path: string, body?: unknown) => {
  const answer = await rest(method, path, { ...(body !== undefined && { body }) });
  return answer.status < 300 ? answer.status : `${answer.status} ${answer.body['code']}`;
};

const template = () => ({ name: `t-${newId('x').slice(-8)}`, html: '<p>hi</p>' });

describe('after a downgrade', () => {
  test('everyone but the owners reads and writes no more, and is told why; with the plan they write again', async () => {
    const owner = await join('owner');
    for (const role of ['admin', 'member'] as const) {
      const { rest } = await join(role);
      expect(await outcome(rest, 'POST', '/v1/templates', template())).toBe(201);
      await givePlan(app, accountId, 'pro');
      expect(await outcome(rest, 'GET', '/v1/templates')).toBe(200);
      expect(await outcome(rest, 'GET', '/api/v1/members')).toBe(200);
      const refused = await rest('POST', '/v1/templates', { body: template() });
      expect(refused.body).toMatchObject({
        status: 403,
        code: 'plan_required',
        detail: `The account's plan no longer includes members, so you can read but not change anything. To use POST /v1/templates with your role ${role} again, ask an owner to upgrade to the Enterprise plan on /billing.`,
      });
      expect(await outcome(owner.rest, 'POST', '/v1/templates', template())).toBe(201);
      await givePlan(app, accountId, 'enterprise');
      expect(await outcome(rest, 'POST', '/v1/templates', template())).toBe(201);
    }
  });

  test('what a role never included is a missing scope, and a person can still leave', async () => {
    const { id, rest } = await join('member');
    await givePlan(app, accountId, 'free');
    expect(await outcome(rest, 'GET', '/v1/audit')).toBe('403 insufficient_scope');
    expect(await outcome(rest, 'DELETE', `/api/v1/members/${id}`)).toBe(200);
  });

  test('a key of a member does no more than the member; one of the owner goes on', async () => {
    await givePlan(app, accountId, 'pro_api', 'sync');
    const [owner, admin] = [await join('owner'), await join('admin')];
    const keys = await Promise.all(
      [owner, admin].map(async ({ rest }) => {
        const { body } = await rest('POST', '/api/v1/api-keys', { body: { name: 'script' } });
        return useRest(app.url, String(body['key']));
      }),
    );
    await givePlan(app, accountId, 'free');
    const [own, held] = keys as [Rest, Rest];
    expect(await outcome(own, 'POST', '/v1/templates', template())).toBe(201);
    expect(await outcome(held, 'GET', '/v1/templates')).toBe(200);
    expect(await outcome(held, 'POST', '/v1/templates', template())).toBe('403 plan_required');
  });

  test('work that waits is not done with rights that are gone', async () => {
    const { token } = await join('member');
    const caller = await app.credentials.resolve(token, {});
    await givePlan(app, accountId, 'free');
    const renewed = await app.credentials.renew(caller);
    expect(renewed.scopes).not.toContain('templates:write');
    expect(renewed).toMatchObject({ withheld: { because: 'plan' } });
  });

  test('the plan on another node counts here once billing says so', async () => {
    const { rest } = await join('member');
    expect(await outcome(rest, 'POST', '/v1/templates', template())).toBe(201);
    await app.database.sql`update subscriptions set status = 'canceled' where account_id = ${accountId}`;
    await app.database.sql`select pg_notify('entitlements', ${accountId})`;
    await expect.poll(() => outcome(rest, 'POST', '/v1/templates', template())).toBe('403 plan_required');
  });
});

describe('a team member', () => {
  test('runs syncs and sees them; connections and configurations are the admins’, and viewers look on', async () => {
    const answers: Record<string, unknown> = {};
    for (const role of ['admin', 'member', 'viewer'] as const) {
      const { rest } = await join(role);
      answers[role] = [
        await outcome(rest, 'GET', '/sync/stores'),
        await outcome(rest, 'POST', '/sync/run', { config_id: 'cfg_none' }),
        await outcome(rest, 'DELETE', '/sync/config/cfg_none'),
        await outcome(rest, 'POST', '/sync/store', { domain: 'demo.myshopify.com', store_access_token: 'x' }),
      ];
    }
    const [sees, lacks, none] = [200, '403 insufficient_scope', '404 not_found'];
    expect(answers).toEqual({
      admin: [sees, none, none, expect.not.stringMatching(lacks)],
      member: [sees, none, lacks, lacks],
      viewer: [sees, lacks, lacks, lacks],
    });
  });

  test('sees how many seats are used', async () => {
    const { rest } = await join('owner');
    await rest('POST', '/api/v1/members', { body: { email: 'ana@shop.example' } });
    expect((await rest('GET', '/api/v1/members')).body).toMatchObject({ seats: { used: 2, limit: 200 } });
    await givePlan(app, accountId, 'free');
    expect((await rest('GET', '/api/v1/members')).body).toMatchObject({ seats: { used: 2, limit: 1 } });
  });

  test('does not unfreeze production: only an owner or admin does', async () => {
    const [owner, admin, member] = [await join('owner'), await join('admin'), await join('member')];
    const path = '/v1/environments/production';
    const made = template();
    await owner.rest('POST', '/v1/templates', { body: made });
    await owner.rest('PATCH', `/v1/templates/${made.name}`, { body: { html: '<p>two</p>' } });
    expect(await outcome(owner.rest, 'PATCH', path, { freeze: true })).toBe(200);
    const promote = () =>
      outcome(member.rest, 'POST', `/v1/templates/${made.name}/promote`, { to: 'production', from: 'main' });
    expect(await promote()).toBe('403 forbidden');
    expect(await outcome(member.rest, 'PATCH', path, { freeze: false })).toBe('403 insufficient_scope');
    const key = await owner.rest('POST', '/api/v1/api-keys', { body: { name: 'default' } });
    const byKey = useRest(app.url, String(key.body['key']));
    expect(await outcome(byKey, 'PATCH', path, { freeze: false })).toBe('403 insufficient_scope');
    expect(await promote()).toBe('403 forbidden');
    expect(await outcome(admin.rest, 'PATCH', path, { freeze: false })).toBe(200);
    expect(await promote()).toBe(200);
  });
});

describe('an account that is deleted', () => {
  const confirm = '?confirm=Bakery%20Sol';

  test('answers everyone 403 with the way back; its owner restores it in one call', async () => {
    const [owner, member] = [await join('owner'), await join('member')];
    const deleted = await owner.rest('DELETE', `/api/v1/user${confirm}`);
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { deleted: true, restorable_until: expect.any(String) },
    ]);
    for (const { rest } of [owner, member]) {
      const { status, body } = await rest('GET', '/v1/templates');
      expect([status, body]).toEqual([
        403,
        expect.objectContaining({
          code: 'account_deleted',
          restorable_until: deleted.body['restorable_until'],
          detail: expect.stringContaining('POST /api/v1/user/restore'),
        }),
      ]);
      expect(await outcome(rest, 'GET', '/auth/me')).toBe('403 account_deleted');
    }
    expect((await owner.rest('GET', '/api/v1/user/accounts')).body).toMatchObject({
      items: [{ id: accountId, status: 'deleted', restorable_until: deleted.body['restorable_until'] }],
    });
    expect(await outcome(member.rest, 'POST', '/api/v1/user/restore')).toBe('403 insufficient_scope');
    expect(await outcome(owner.rest, 'POST', '/api/v1/user/restore')).toBe(200);
    expect(await outcome(member.rest, 'GET', '/v1/templates')).toBe(200);
  });

  test('is not where a person lands who has another one, and signing out still works', async () => {
    const person = await join('owner');
    const home = await newBareAccount(app, 'Florist');
    await membershipRepo.insert(app.database.sql, home, person.id, 'owner');
    await person.rest('DELETE', `/api/v1/user${confirm}`);
    const headers = { 'stallhand-account': home };
    expect((await person.rest('GET', '/v1/templates', { headers })).status).toBe(200);
    expect((await person.rest('GET', '/api/v1/user/accounts', { headers })).body).toMatchObject({
      items: [
        { id: home, current: true, status: 'active' },
        { id: accountId, current: false, status: 'deleted' },
      ],
    });
    expect(await outcome(person.rest, 'POST', '/auth/logout', {})).toBe(200);
  });

  test('lets no one in by an MCP session or an invitation either', async () => {
    const owner = await join('owner');
    const { body } = await owner.rest('POST', '/api/v1/members', { body: { email: 'bea@shop.example' } });
    const ana = await join('owner', await newBareAccount(app, 'Florist'));
    await app.database.sql`update users set email = 'bea@shop.example' where id = ${ana.id}`;
    await owner.rest('DELETE', `/api/v1/user${confirm}`);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const headers = { accept: 'application/json, text/event-stream' };
    expect((await owner.rest('POST', '/mcp', { body: list, headers })).status).toBe(403);
    expect((await ana.rest('GET', '/api/v1/user/accounts')).body).toMatchObject({ invitations: [] });
    expect(await outcome(ana.rest, 'POST', `/api/v1/invitations/${body['id']}/accept`)).toBe('404 not_found');
  });
});
