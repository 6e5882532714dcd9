import { describe, expect, test } from 'vitest';
import { HTTP_CLIENTS } from '../mcp/support/clients.ts';
import { givePlan } from '../support/plans.ts';
import { useRest } from '../support/server.ts';
import { said, useSyncDemo } from '../support/sync-demo.ts';

const demo = useSyncDemo();
const { rest, connectStore, giveSyncPlan } = demo;

test('the usage tells what the plan allows and what is used of it', async () => {
  await connectStore();
  expect((await rest('GET', '/sync/usage')).body).toEqual({
    plan: 'free',
    stores: { used: 1, limit: 1 },
    sheets: { used: 0, limit: 1 },
    auto_sync_minutes: null,
    api_access: false,
  });
  await giveSyncPlan('pro_api');
  expect((await rest('GET', '/sync/usage')).body).toEqual({
    plan: 'pro_api',
    stores: { used: 1, limit: -1 },
    sheets: { used: 0, limit: -1 },
    auto_sync_minutes: 5,
    api_access: true,
  });
});

describe('keys that the account made', () => {
  const newOwnKey = () => rest('POST', '/api/v1/api-keys', { body: { name: 'shop server' } });
  const use = async (own: unknown, path: string) =>
    said(await useRest(demo.url, String(own))('GET', path)).filter((part) => part !== undefined);

  test('are made and used with API access to either app, each for its own; templates go with both', async () => {
    expect(said(await newOwnKey())).toEqual([403, 'plan_required']);
    await giveSyncPlan('pro_api');
    const { body: made } = await newOwnKey();
    const outcomes = async () => [
      await use(made['key'], '/sync/stores'),
      await use(made['key'], '/api/v1/history'),
      await use(made['key'], '/v1/templates'),
    ];
    const refused = [403, 'plan_required'];
    expect(await outcomes()).toEqual([[200], refused, [200]]);
    await givePlan(demo.app, demo.accountId, 'enterprise');
    expect(await outcomes()).toEqual([[200], [200], [200]]);
    await giveSyncPlan('pro');
    expect(await outcomes()).toEqual([refused, [200], [200]]);
    await givePlan(demo.app, demo.accountId, 'free');
    expect(await outcomes()).toEqual([refused, refused, refused]);
  });

  test('are told what they lack; the operator’s keys lack nothing', async () => {
    await givePlan(demo.app, demo.accountId, 'enterprise');
    const { body: made } = await newOwnKey();
    const { body } = await useRest(demo.url, String(made['key']))('GET', '/sync/stores');
    expect(body).toMatchObject({
      code: 'plan_required',
      detail: 'Sync over the API requires the Pro API plan. Upgrade, or sign in instead of using a key.',
    });
    expect(await use(demo.key, '/sync/stores')).toEqual([200]);
  });

  test('lack the same over MCP', async () => {
    await givePlan(demo.app, demo.accountId, 'enterprise');
    const { body: made } = await newOwnKey();
    const [, connect] = HTTP_CLIENTS[0] ?? expect.unreachable();
    const client = await connect(demo.url, String(made['key']));
    try {
      expect((await client.callTool('list_stores', {})).isError).toBe(true);
      expect((await client.callTool('list_templates', {})).isError ?? false).toBe(false);
    } finally {
      await client.close();
    }
  });
});

test('after all that, no token is found in an answer, a log line or a table', async () => {
  const { read, found } = await demo.leaks();
  expect(read.written).toContain('connect_store');
  expect(read.answered).toContain('content-type');
  expect(read.tables).toContain('demo');
  expect(found).toEqual([]);
});
