import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from '../http/web/pages.ts';
import { Fault } from '../src/errors.ts';
import { type Role, SCOPES } from '../src/identity/caller.ts';
import * as membershipRepo from '../src/identity/members/membership-repo.ts';
import { newId } from '../src/platform/ids.ts';
import { hasRest, type RestTool, type Tool } from '../tools/contract/define.ts';
import { createRegistry, isForApps } from '../tools/contract/registry.ts';
import { productRegistry } from '../tools/index.ts';
import { createRunTool } from '../tools/meta/run-tool.ts';
import { type Connection, HTTP_CLIENTS } from './mcp/support/clients.ts';
import { newBareAccount, openTestApp, type TestApp } from './support/app.ts';
import { givePlan } from './support/plans.ts';
import { startTestServer, type TestServer, useRest } from './support/server.ts';

/**
 * Every operation of the product, called by everyone who could: real sessions, keys and MCP clients over the wire. An
 * operation that would run answers `precondition_failed` here, so that none has an effect.
 */
const tools = productRegistry()
  .tools.filter((tool) => tool.toolset !== 'meta' && !isForApps(tool))
  .map(
    (tool): Tool => ({
      ...tool,
      missing: {},
      run: () => Promise.reject(new Fault(RUNS)),
      // Asks whatever the input is, since what the examples name is not there.
      ...(tool.confirm && { confirm: async () => ({ key: 'yes' }) }),
    }),
  );

const RUNS = 'precondition_failed.etag';
const ELEVEN_MINUTES = '11 minutes';

/** What a key may only do if its creator asked for the scope, a session only if fresh, and a model never. */
const DANGEROUS: Readonly<Record<string, string>> = {
  delete_account: 'account:admin',
  invite_member: 'members:write',
  update_member: 'members:write',
  remove_member: 'members:write, or nothing to leave',
  create_api_key: 'keys:write',
  update_api_key: 'keys:write',
  rotate_api_key: 'keys:write',
  revoke_api_key: 'keys:write',
  set_api_key_ip_whitelist: 'keys:write',
  change_plan: 'billing:write',
  protect_environment: 'environments:manage',
  connect_store: 'connections:write',
  connect_sheet: 'connections:write',
  create_webhook: 'account:write',
  rotate_webhook_secret: 'account:write',
  revoke_connected_app: 'account:read, for the own apps',
};

/** Dangerous only with credentials in the input, which REST alone accepts. */
const WITH_CREDENTIALS = ['update_store', 'update_sheet', 'update_webhook'];

let app: TestApp;
let server: TestServer;
let model: Connection;
let accountId: string;
const rest: Record<string, ReturnType<typeof useRest>> = {};

beforeAll(async () => {
  app = await openTestApp();
  server = await startTestServer(app, {}, { registry: createRegistry([...tools, createRunTool(tools)]) });
  accountId = await newBareAccount(app, 'Bakery Sol');
  await givePlan(app, accountId, 'enterprise');
  await givePlan(app, accountId, 'pro_api', 'sync');
  const owner = await signIn('owner');
  rest['owner'] = useRest(server.url, owner.token);
  const stale = await signIn('owner');
  rest['owner, signed in 11 min ago'] = useRest(server.url, stale.token);
  await app.database.sql`
    update sessions set authenticated_at = now() - ${ELEVEN_MINUTES}::interval where id = ${stale.sessionId}`;
  for (const role of ['admin', 'member', 'viewer'] as const)
    rest[role] = useRest(server.url, (await signIn(role)).token);
  const person = await app.credentials.resolve(owner.token, {});
  const newKey = async (scopes?: typeof SCOPES) =>
    (await app.accountKeys.create(person, { name: 'key', ip_whitelist: [], scopes })).key ?? '';
  rest['key, default scopes'] = useRest(server.url, await newKey());
  rest['key, all scopes'] = useRest(server.url, await newKey(SCOPES));
  const [[, connect] = [undefined, undefined]] = HTTP_CLIENTS;
  if (!connect) throw new Error('there is no MCP client');
  model = await connect(server.url, owner.token);
});
afterAll(async () => {
  await model.close();
  await server.close();
  await app.close();
});

/** A person of the account, who has just signed in. */
async function signIn(role: Role) {
  const userId = newId('usr');
  await app.database.sql`
    insert into users (id, email, email_verified, auth_provider) values (${userId}, ${`${userId}@example.com`}, true, 'code')`;
  await membershipRepo.insert(app.database.sql, accountId, userId, role);
  const session = await app.sessions.open({ userId, accountId, passwordHash: null }, {});
  if (!session) throw new Error('the session did not open');
  return session;
}

const WORDS: Readonly<Record<string, string>> = {
  precondition_failed: 'yes',
  insufficient_scope: 'no: scope',
  reauthentication_required: 'no: sign in again',
  person_required: 'no: person',
  confirmation_required: 'asks first',
  plan_required: 'no: plan',
  not_found: 'no: not over MCP',
};

async function overRest(name: string, tool: RestTool, input: Readonly<Record<string, unknown>>) {
  const [method = '', path = ''] = tool.rest.route.split(' ');
  const left = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = encodeURIComponent(String(left[field]));
    delete left[field];
    return value;
  });
  const inQuery = method === 'GET' || method === 'DELETE';
  const query = inQuery ? `?${new URLSearchParams(left as Record<string, string>)}` : '';
  const send = { headers: { accept: 'application/json' }, ...(!inQuery && { body: left }) };
  const answer = await rest[name]?.(method, filled + query, send);
  const code = String(answer?.body['code'] ?? JSON.stringify(answer?.body));
  return WORDS[code] ?? code;
}

async function overMcp({ name }: Tool, input: Readonly<Record<string, unknown>>) {
  const answer = await model.callTool('run_tool', { name, arguments: input });
  const code = String(answer._meta?.['code']);
  return WORDS[code] ?? code;
}

const PEOPLE = ['owner', 'owner, signed in 11 min ago', 'admin', 'member', 'viewer'];
const COLUMNS = [...PEOPLE, 'key, default scopes', 'key, all scopes', 'model'];

async function rowOf(tool: Tool): Promise<Record<string, string>> {
  const input = tool.examples[0]?.input ?? {};
  const row: Record<string, string> = {};
  for (const column of COLUMNS) {
    if (column === 'model') row[column] = await overMcp(tool, input);
    else row[column] = hasRest(tool) ? await overRest(column, tool, input) : 'not over REST';
  }
  return row;
}

const rows = new Map<string, Record<string, string>>();

test('who may call each operation is as docs/permissions.md says', async () => {
  for (const tool of tools) rows.set(tool.name, await rowOf(tool));
  const lines = [...rows].map(
    ([name, row]) => `| \`${name}\` | ${COLUMNS.map((one) => row[one]).join(' | ')} |`,
  );
  const howTo = 'if the change is meant: npx vitest run test/who-may.test.ts -u';
  await expect(`${HEAD}\n${lines.join('\n')}\n`, howTo).toMatchFileSnapshot('../docs/permissions.md');
});

test('these operations are dangerous, and no other', () => {
  const dangerous = tools.filter((tool) => tool.dangerous);
  expect(
    dangerous
      .filter(({ dangerous: when }) => !when?.when)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(DANGEROUS).sort());
  expect(
    dangerous
      .filter(({ dangerous: when }) => when?.when)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...WITH_CREDENTIALS].sort());
});

test.each(Object.keys(DANGEROUS))(
  '%s takes a fresh session or a key with that scope, and no model',
  (name) => {
    const row = rows.get(name);
    expect(row).toMatchObject({
      owner: 'yes',
      'owner, signed in 11 min ago': 'no: sign in again',
      'key, all scopes': 'yes',
      model: 'no: person',
    });
    if (name !== 'remove_member' && name !== 'revoke_connected_app') {
      expect(row).toMatchObject({
        member: 'no: scope',
        viewer: 'no: scope',
        'key, default scopes': 'no: scope',
      });
    }
  },
);

test('a viewer writes nothing, but may change their own profile, leave, disconnect their apps and cancel their own jobs', () => {
  const mayWrite = tools.filter(
    ({ name, effect }) => effect !== 'read' && rows.get(name)?.['viewer'] === 'yes',
  );
  expect(mayWrite.map(({ name }) => name)).toEqual([
    'update_profile',
    'remove_member',
    'revoke_connected_app',
    'cancel_job',
  ]);
});

test('a model that is refused gets the page where a person does it', async () => {
  const answer = await model.callTool('run_tool', { name: 'delete_account', arguments: { confirm: 'x' } });
  expect(answer.isError).toBe(true);
  expect(JSON.stringify(answer.content)).toContain(`${server.url}/settings/account`);
  expect(JSON.stringify(answer.content)).not.toContain('Bakery Sol');
});

test('every page that a model is given exists: in the web client, or as an operation in the documentation', () => {
  const pages = tools.flatMap(({ dangerous }) => dangerous?.page ?? []);
  const known = [...Object.keys(PAGES), ...tools.map(({ name }) => `/docs/api#${name}`)];
  expect(pages.filter((page) => !known.includes(page))).toEqual([]);
});

test('new credentials of a connection are dangerous, its name is not', async () => {
  const sheet = { sheet_id: 'sht_1', name: 'Warehouse' };
  const tool = tools.find(({ name }) => name === 'update_sheet');
  if (!tool || !hasRest(tool)) throw new Error('update_sheet is not there');
  const secret = { ...sheet, access_token: 'ya29.x' };
  expect([
    await overRest('key, default scopes', tool, sheet),
    await overRest('key, default scopes', tool, secret),
    await overRest('owner, signed in 11 min ago', tool, secret),
    await overRest('owner', tool, secret),
  ]).toEqual(['yes', 'no: scope', 'no: sign in again', 'yes']);
});

const HEAD = `# Who may do what

Generated by \`npx vitest run test/who-may.test.ts\`, which calls each operation as each of these callers. *sign in again*: the session
must be from the last 10 minutes; see \`POST /auth/reauthenticate\`. *person*: a model gets the address of the page where a
person does it. *asks first*: a person confirms the calls that the guide lists; see
[guides](guides/assistants.md#let-a-person-decide). A key has only the scopes that were named when it was created; by default those of templates, assets, videos, hooks and
sync. In open mode the local owner counts as an owner who has just signed in.

| operation | ${COLUMNS.join(' | ')} |
|---|${COLUMNS.map(() => '---').join('|')}|`;
