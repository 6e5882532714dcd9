import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../cli/cli.ts';
import { commandWords } from '../cli/help.ts';
import { type Caller, SCOPES } from '../src/identity/caller.ts';
import type { Example, Tool } from '../tools/contract/define.ts';
import { createRegistry, isForApps, type Registry } from '../tools/contract/registry.ts';
import { serveStdioMcp } from '../tools/mcp/serve-stdio.ts';
import { openStripePeer } from './billing/setup.ts';
import { OPERATIONS, testProgram, testTerminal } from './cli/terminal.ts';
import { confirmationOf, HTTP_CLIENTS, outputOf } from './mcp/support/clients.ts';
import { type ModelServer, startModelServer } from './peers/model-server.ts';
import { exampleAnswer } from './peers/scripts.ts';
import type { StripePeer } from './peers/stripe/peer.ts';
import { openTestApp, PRODUCT, silentLog, type TestApp, useTools } from './support/app.ts';
import { setUpExample } from './support/example-setup.ts';
import {
  type Answer,
  newBareKey,
  newKey,
  startTestServer,
  type TestServer,
  useRest,
} from './support/server.ts';

type Json = Record<string, unknown>;
/** Runs an example over one transport, in an account where its setup has been done. */
type Transport = (tool: Tool, example: Example) => Promise<unknown>;

let app: TestApp;
let server: TestServer;
let model: ModelServer;
let stripe: StripePeer;

beforeAll(async () => {
  model = await startModelServer();
  stripe = await openStripePeer();
  app = await openTestApp({
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'secret',
    SHOPIFY_CLIENT_ID: 'app',
    SHOPIFY_CLIENT_SECRET: 'secret',
    OPENAI_BASE_URL: `${model.url}/v1`,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_BASE_URL: stripe.url,
  });
  await app.sync.start();
  server = await startTestServer(app, {}, { registry });
});
afterAll(async () => {
  await server.close();
  await app.close();
  await model.close();
  await stripe.close();
});

const { tools } = PRODUCT;
const registry = wordless();

/** MCP revisions pack a call differently: each example takes one of them, the next example the next one. */
function transportsOf(turn: number): (readonly [string, Transport])[] {
  const clients = HTTP_CLIENTS.slice(turn % HTTP_CLIENTS.length).slice(0, 1);
  return [
    ['REST', rest],
    ['CLI', cli],
    ...clients.map(([name, connect]) => [name, mcp(connect)] as const),
    ['stdio', stdio],
  ];
}

let turn = 0;
for (const tool of tools) {
  for (const example of tool.examples) {
    const transports = transportsOf(turn++);
    test(`${tool.name}, ${example.title}: the same answer over every transport`, async () => {
      const expected = comparable(await inProcess(tool, example));
      for (const [name, transport] of transports) {
        if (!isOpen(tool, name)) continue;
        if (name !== 'REST' && name !== 'CLI' && tool.dangerous && !tool.dangerous.when) {
          await expect(transport(tool, example)).rejects.toThrow('person_required');
          continue;
        }
        const answer = comparable(await transport(tool, example));
        expect({ transport: name, answer }).toEqual({
          transport: name,
          answer: isLong(expected) && name !== 'REST' ? asFarAs(answer, expected) : expected,
        });
      }
    });
  }
}

function isOpen(tool: Tool, name: string): boolean {
  // What only apps call is tested in test/mcp/apps.test.ts.
  if (isForApps(tool)) return false;
  return name === 'REST' || name === 'CLI' ? tool.rest !== undefined : tool.mcp !== false;
}

async function inProcess(tool: Tool, example: Example): Promise<unknown> {
  const { call, input } = await prepared(tool, example);
  return call(tool.name, input);
}

async function rest(tool: Tool, example: Example): Promise<unknown> {
  const { key, input } = await prepared(tool, example);
  const [method = '', path = ''] = tool.rest?.route.split(' ') ?? [];
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  const inQuery = method === 'GET' || method === 'DELETE';
  const query = inQuery ? `?${new URLSearchParams(rest as Record<string, string>)}` : '';
  const send = () =>
    useRest(server.url, key)(method, filled + query, {
      headers: { accept: 'application/json', 'idempotency-key': 'once' },
      ...(!inQuery && { body: rest }),
    });
  const answer = await send();
  expect([200, 201]).toContain(answer.status);
  // The key ends with its account.
  if (tool.effect !== 'read' && tool.name !== 'delete_account') expectReplay(tool, answer, await send());
  return tool.rest?.list ? pageOf(answer) : answer.body;
}

/** The words of the example in a shell, to the answer as `--json` prints it. */
async function cli(tool: Tool, example: Example): Promise<unknown> {
  const { key, input } = await prepared(tool, example);
  const operation = OPERATIONS.all.find(({ name }) => name === tool.name);
  if (!operation) throw new Error(`${tool.name} is no command.`);
  const words = [
    ...commandWords(operation, input),
    '--json',
    '--yes',
    '--server',
    server.url,
    '--token',
    key,
  ];
  const { terminal, said } = testTerminal();
  const code = await run(words, testProgram(terminal));
  if (code !== 0) throw new Error(said.err);
  return JSON.parse(said.out);
}

/** A repeat with the same key has the same bytes, but for secrets that are shown once. */
function expectReplay({ idempotency }: Tool, first: Answer, second: Answer) {
  const kept = idempotency ? idempotency.keep(first.body as never) : first.body;
  expect([second.status, second.headers.get('idempotency-replayed'), JSON.stringify(second.body)]).toEqual([
    first.status,
    'true',
    JSON.stringify(kept),
  ]);
}

/** REST returns the cursor in a header; the other transports return it beside the items. */
function pageOf({ body, headers }: Answer) {
  const next = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
  return { items: body, next_cursor: next ?? null };
}

function mcp(connect: (typeof HTTP_CLIENTS)[number][1]): Transport {
  return async (tool, example) => {
    const { key, input } = await prepared(tool, example);
    const client = await connect(server.url, key);
    try {
      return contentOf(await confirmed({ ...input }, (all) => client.callTool(tool.name, all)));
    } finally {
      await client.close();
    }
  };
}

/** Makes a call, and once more with the id where a person is asked first. */
async function confirmed<Answered extends { content?: unknown; isError?: unknown }>(
  input: Json,
  call: (input: Json) => Promise<Answered>,
): Promise<Answered> {
  const answer = await call(input);
  const confirmation = confirmationOf(answer);
  return confirmation === undefined ? answer : call({ ...input, confirmation });
}

/** @throws Error with the code of a refusal */
function contentOf(answer: { content?: unknown; isError?: unknown; _meta?: unknown }) {
  if (answer.isError) throw new Error(JSON.stringify(answer._meta));
  return outputOf(answer);
}

/** The product without the words that some tools have for a model in place of their output. */
function wordless(): Registry {
  const plain = (tool: Tool): Tool => ({
    ...tool,
    ...(tool.mcp && { mcp: { core: tool.mcp.core ?? false } }),
  });
  return createRegistry(PRODUCT.tools.map(plain));
}

/** The code of `npm run mcp` on in-process streams: starting a process for every call would take minutes. */
async function stdio(tool: Tool, example: Example): Promise<unknown> {
  const { caller, input } = await prepared(tool, example);
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const parts = {
    app,
    registry,
    caller,
    locale: 'en',
    baseUrl: 'http://stallhand.test',
    log: silentLog,
    version: '1.2.3',
  } as const;
  const server = serveStdioMcp({ ...parts, stdin: toServer, stdout: toClient });
  const client = new Client({ name: 'test', version: '1' });
  // Lines of JSON either way: the server's transport does for the other end too.
  await client.connect(new StdioServerTransport(toClient, toServer));
  try {
    const call = (all: Json) => client.callTool({ name: tool.name, arguments: all });
    return contentOf(await confirmed({ ...input }, call));
  } finally {
    await client.close();
    await server.close();
  }
}

/** An output that MCP answers in part. */
const isLong = (output: unknown) => Buffer.byteLength(JSON.stringify(output)) > 22_000;

/** What is expected, without the ends of lists and texts that an answer leaves out. */
function asFarAs(answer: unknown, expected: unknown): unknown {
  if (typeof answer === 'string' && typeof expected === 'string') return expected.slice(0, answer.length);
  if (Array.isArray(answer) && Array.isArray(expected))
    return answer.map((item, index) => asFarAs(item, expected[index]));
  if (!isJson(answer) || !isJson(expected)) return expected;
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [name, asFarAs(answer[name], value)]),
  );
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NEVER_OF_TEMPLATES = new Set(['hooks', 'billing', 'sync', 'account', 'videos']);

const ready = new WeakMap<Example, ReturnType<typeof prepare>>();

/** A read leaves its account unchanged, so one account serves every transport. */
function prepared(tool: Tool, example: Example): ReturnType<typeof prepare> {
  if (tool.effect !== 'read') return prepare(tool, example);
  const account = ready.get(example) ?? prepare(tool, example);
  ready.set(example, account);
  return account;
}

/** A new account where everything before the example has been done. */
async function prepare(tool: Tool, example: Example) {
  const answer = await exampleAnswer(tool.name, example.input);
  if (answer) model.script(answer);
  const { accountId, key } = await (NEVER_OF_TEMPLATES.has(tool.toolset) ? newBareKey(app) : newKey(app));
  const caller: Caller = { accountId, actor: 'key:test', scopes: SCOPES, via: 'api_key' };
  const call = useTools(app, caller);
  const input = await setUpExample(tool, example, { app, caller, call, pay: stripe.pay });
  return { key, call, caller, input };
}

const VOLATILE = new Set([
  'generation_id',
  'run_id',
  'plan_id',
  'config_id',
  'store_id',
  'sheet_id',
  'reverts_run',
  'started_at',
  'date',
  'rated_at',
  'key',
  'masked',
  'id',
  'created_at',
  'happened_at',
  'attempted_at',
  'next_attempt_at',
  'message_id',
  'former_secret_until',
  'secret',
  'member_since',
  'finished_at',
  'updated_at',
  'merged_at',
  'etag',
  'render_ms',
  'merge_token',
  'next_cursor',
  'url',
  'upload_url',
  'expires_at',
  'restorable_until',
]);

/** These say nothing or something by how the call before was made, or are only for models. */
const PASSING = new Set(['rows_file', 'last_used_at', 'last_used_ip']);

/** An answer without what differs between two accounts or two moments. */
function comparable(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      PASSING.has(key) ? undefined : VOLATILE.has(key) ? typeof value : withoutMoment(withoutServer(value)),
    ),
  ) as Json;
}

/** Public addresses of assets begin as the caller reaches the server. */
function withoutServer(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^http:\/\/[^/]+(?=\/a\/[0-9a-f]{64}\/)/, '') : value;
}

/** A file that says when it was made, as a PDF does, differs in its bytes. */
function withoutMoment(value: unknown): unknown {
  const isFile = typeof value === 'object' && value !== null && 'media_type' in value && 'sha256' in value;
  return isFile ? { ...value, sha256: 'string', bytes: 'number' } : wordsOfAnyTransport(value);
}

/** A warning that names the next call does so as the transport makes it. */
function wordsOfAnyTransport(value: unknown): unknown {
  const isWarning = typeof value === 'object' && value !== null && 'code' in value && 'message' in value;
  return isWarning && value.code === 'not_live' ? { ...value, message: 'string' } : value;
}
