import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '../../src/identity/caller.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Example, Tool } from '../../tools/contract/define.ts';
import { isForApps } from '../../tools/contract/registry.ts';
import { productRegistry } from '../../tools/index.ts';
import { openStripePeer } from '../billing/setup.ts';
import { type Connection, HTTP_CLIENTS } from '../mcp/support/clients.ts';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { newCaller, openTestApp, type TestApp, useTools } from '../support/app.ts';
import { setUpExample } from '../support/example-setup.ts';
import { foreignInputs, twinOf } from '../support/foreign-inputs.ts';
import { type Baits, CANARY, openFullAccount } from '../support/full-account.ts';
import { givePlan } from '../support/plans.ts';
import { startTestServer, type TestServer, useRest } from '../support/server.ts';

type Json = Record<string, unknown>;
type Said = { readonly status: unknown; readonly code: unknown; readonly whole: string };
/** A caller without access to the full account, over each transport and with each credential. */
type Stranger = {
  readonly own: Json;
  readonly transports: Readonly<Record<string, (tool: Tool, input: Json) => Promise<Said>>>;
  close(): Promise<void>;
};

const SEED = 20_261_121;
const RUNS = 8;
/** Fields that must name something of the caller's own. */
const NAMING = [
  'app_id',
  'asset_id',
  'base_template',
  'brand_voice_id',
  'config_id',
  'delivery',
  'generation_id',
  'job_id',
  'key_id',
  'member_id',
  'run_id',
  'sheet_id',
  'store_id',
  'template',
  'video_id',
  'webhook_id',
];
/** These succeed with an unknown name: one reports outcomes per topic, one lists no videos, one makes what it names. */
const FORGIVING = ['generate_hooks_batch', 'list_videos', 'save_video_template'];

let app: TestApp;
let server: TestServer;
let stripe: StripePeer;
let fullAccount: { readonly accountId: string; readonly baits: Baits };
let before: string;

beforeAll(async () => {
  stripe = await openStripePeer();
  app = await openTestApp({
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_BASE_URL: stripe.url,
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'client secret',
    SHOPIFY_CLIENT_ID: 'app',
    SHOPIFY_CLIENT_SECRET: 'app secret',
  });
  await app.sync.start();
  server = await startTestServer(app);
  fullAccount = await openFullAccount(app);
  before = await dump();
});
afterAll(async () => {
  await server.close();
  await app.close();
  await stripe.close();
});

const { tools } = productRegistry();

for (const tool of tools) {
  const [example] = tool.examples;
  // What only apps call is reached by no client here; its own test has another account's names.
  if (!example || isForApps(tool) || tool.name === 'run_tool' || tool.name === 'read_tool') continue;
  test(`${tool.name} does for another account's names what it does for unknown names`, async () => {
    const [stranger, nobody] = await Promise.all([openStranger(tool, example), openStranger(tool, example)]);
    const foreign = new Set(
      Object.values(fullAccount.baits).flatMap((baits) => baits.map(({ value }) => value)),
    );
    const open = Object.keys(stranger.transports).filter((transport) => isOpen(tool, transport));
    const property = fc.asyncProperty(
      foreignInputs(tool, stranger.own, fullAccount.baits),
      fc.constantFrom(...open),
      async (input, transport) => {
        // What the call before has begun goes on at its own pace, and no two need the same time.
        await runsEnded();
        const said = await stranger.transports[transport]?.(tool, input);
        const twin = twinOf(input, fullAccount.baits);
        for (const field of NAMING)
          if (field in twin && twin[field] === stranger.own[field]) twin[field] = nobody.own[field];
        const expected = await nobody.transports[transport]?.(tool, twin);
        expect(said?.whole).not.toMatch(CANARY);
        expect([said?.status, said?.code]).toEqual([expected?.status, expected?.code]);
        if (!FORGIVING.includes(tool.name) && NAMING.some((field) => foreign.has(String(input[field]))))
          expect([403, 404, 409, 422]).toContain(said?.status);
      },
    );
    // What a call leaves behind counts in the next, so nothing is made smaller.
    await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
    await Promise.all([stranger.close(), nobody.close()]);
    expect(await dump()).toBe(before);
  });
}

async function runsEnded(): Promise<void> {
  const { sql } = app.database;
  const underWay = () => sql`select from sync_runs where status in ('queued', 'planning', 'applying')`;
  await expect.poll(async () => (await underWay()).count).toBe(0);
}

function isOpen({ mcp, rest }: Tool, transport: string): boolean {
  return transport === 'MCP' ? mcp !== false : rest !== undefined;
}

/** The rows of the full account, of every table that has some. */
async function dump(): Promise<string> {
  const { sql } = app.database;
  const tables = await sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id' order by 1`;
  const rows: unknown[] = [];
  for (const { name } of tables) {
    const found = await sql`
      select to_jsonb(t)::text as row from ${sql(String(name))} t
      where account_id = ${fullAccount.accountId} order by 1`;
    rows.push([name, found]);
  }
  rows.push(await sql`select * from accounts where id = ${fullAccount.accountId}`);
  rows.push(
    await sql`
    select users.* from users join memberships on user_id = users.id
    where account_id = ${fullAccount.accountId}`,
  );
  return JSON.stringify(rows);
}

/** An account where everything before the example has been done, with a key and a session. */
async function openStranger(tool: Tool, example: Example): Promise<Stranger> {
  const caller = await newCaller(app, 'stranger');
  const { accountId } = caller;
  await givePlan(app, accountId, 'enterprise');
  const { key } = await app.keys.create(accountId, 'test', caller.scopes, null);
  const setup = { app, caller, call: useTools(app, caller), pay: stripe.pay };
  const own = await setUpExample(tool, example, setup);
  const [, connect] = HTTP_CLIENTS[0] ?? expect.unreachable();
  // An example may have deleted the account, which lets no MCP client in; its tool is then not open over MCP.
  const client = tool.mcp === false ? undefined : await connect(server.url, key);
  const transports = {
    'REST with a key': rest(key),
    'REST with a session': rest(await newSession(accountId)),
    ...(client && { MCP: mcp(client) }),
  };
  return { own, transports, close: async () => client?.close() };
}

async function newSession(accountId: string): Promise<string> {
  const userId = newId('usr');
  const { sql } = app.database;
  await sql`
    insert into users (id, email, email_verified, name, auth_provider)
    values (${userId}, ${`${userId}@example.com`}, true, 'stranger', 'code')`;
  await sql`insert into memberships (account_id, user_id, role) values (${accountId}, ${userId}, 'owner')`;
  const session = await app.sessions.open({ userId, accountId, passwordHash: null }, {});
  return session?.token ?? expect.unreachable();
}

function rest(credential: string) {
  return async ({ rest }: Tool, input: Json): Promise<Said> => {
    const [method = '', path = ''] = rest?.route.split(' ') ?? [];
    const left = { ...input };
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = encodeURIComponent(String(left[name]));
      delete left[name];
      return value;
    });
    const inQuery = method === 'GET' || method === 'DELETE';
    // A query turns everything into text.
    const query = inQuery ? `?${new URLSearchParams(left as Record<string, string>)}` : '';
    const answer = await useRest(server.url, credential)(method, filled + query, {
      headers: { accept: 'application/json' },
      ...(!inQuery && { body: left }),
    });
    return { status: answer.status, code: answer.body['code'], whole: JSON.stringify(answer.body) };
  };
}

function mcp(client: Connection) {
  return async ({ name }: Tool, input: Json): Promise<Said> => {
    const answer = await client.callTool(name, input).catch((error: unknown) => String(error));
    // The transport refused the call, for example after the account was deleted.
    if (typeof answer === 'string') return { status: 'refused', code: undefined, whole: answer };
    const { status, code } = { status: 200, code: undefined, ...answer._meta };
    return { status, code, whole: JSON.stringify(answer) };
  };
}

test.each(['read_tool', 'run_tool'])('%s reaches no further than the tools it runs', async (road) => {
  const runTool = productRegistry().find(road) ?? expect.unreachable();
  const stranger = await openStranger(runTool, { title: '', input: {} });
  for (const { value: name } of fullAccount.baits.templates) {
    const said = await stranger.transports['MCP']?.(runTool, { name: 'get_template', arguments: { name } });
    expect([said?.status, said?.code]).toEqual([404, 'not_found']);
    expect(said?.whole).not.toMatch(CANARY);
  }
  await stranger.close();
});

test('no credential acts in an account by naming it', async () => {
  const { accountId } = await newCaller(app);
  const { key } = await app.keys.create(accountId, 'test', SCOPES, null);
  for (const credential of [key, await newSession(accountId)]) {
    const [taken, unknown] = await Promise.all(
      [fullAccount.accountId, 'acc_nobody'].map((named) =>
        useRest(server.url, credential)('GET', '/v1/templates', { headers: { 'stallhand-account': named } }),
      ),
    );
    expect([taken?.status, taken?.body['code']]).toEqual([unknown?.status, unknown?.body['code']]);
    expect(JSON.stringify(taken?.body)).not.toMatch(CANARY);
  }
});

test('routes without a tool answer the same', async () => {
  const { accountId } = await newCaller(app);
  const { key } = await app.keys.create(accountId, 'test', SCOPES, null);
  for (const { value } of Object.values(fullAccount.baits).flat()) {
    const id = encodeURIComponent(value);
    const videos = ['', '/events', '/file'].map((part) => `/videos/${id}${part}`);
    for (const path of [`/v1/files/${id}`, `/v1/jobs/${id}/events`, ...videos]) {
      const { status, body } = await useRest(server.url, key)('GET', path);
      expect([path, status, body['code']]).toEqual([path, 404, 'not_found']);
      expect(JSON.stringify(body)).not.toMatch(CANARY);
    }
  }
});

test('an idempotency key is the account’s own', async () => {
  const headers = { 'idempotency-key': 'walnut-once' };
  const make = async (html: string) => {
    const { key } = await app.keys.create((await newCaller(app)).accountId, 'test', SCOPES, null);
    return useRest(server.url, key)('POST', '/v1/templates', {
      body: { name: 'walnut-once', html },
      headers,
    });
  };
  expect((await make('<p>kohinoor</p>')).status).toBe(201);
  const second = await make('<p>mine</p>');
  expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([201, null]);
  expect(JSON.stringify(second.body)).not.toMatch(CANARY);
});

test('after all that, nothing of the account has changed', async () => {
  expect(await dump()).toBe(before);
});
