import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, SCOPES } from '../src/identity/caller.ts';
import type { Example, Tool } from '../tools/define.ts';
import { productRegistry } from '../tools/index.ts';
import { serveStdioMcp } from '../tools/serve-stdio.ts';
import { HTTP_CLIENTS } from './mcp/support/clients.ts';
import { openTestApp, silentLog, type TestApp, useTools } from './support/app.ts';
import { newKey, startTestServer, type TestServer, useRest } from './support/server.ts';

type Json = Record<string, unknown>;
/** Runs an example in an account of its own through one door. */
type Door = (tool: Tool, example: Example) => Promise<unknown>;

let app: TestApp;
let server: TestServer;

beforeAll(async () => {
  app = await openTestApp();
  server = await startTestServer(app);
});
afterAll(async () => {
  await server.close();
  await app.close();
});

const { tools } = productRegistry();

const doors: (readonly [string, Door])[] = [
  ['REST', rest],
  ...HTTP_CLIENTS.map(([name, connect]) => [name, mcp(connect)] as const),
  ['stdio', stdio],
];

for (const tool of tools) {
  for (const example of tool.examples) {
    test(`${tool.name}, ${example.title}: the same answer through every door`, async () => {
      const expected = comparable(await inProcess(tool, example));
      for (const [name, door] of doors) {
        if (name === 'REST' && !tool.route) continue;
        expect({ door: name, answer: comparable(await door(tool, example)) }).toEqual({
          door: name,
          answer: expected,
        });
      }
    }, 60_000);
  }
}

async function inProcess(tool: Tool, { given = [], input }: Example): Promise<unknown> {
  const { call } = await prepared(given);
  return call(tool.name, input);
}

async function rest({ route }: Tool, { given = [], input }: Example): Promise<unknown> {
  const { key } = await prepared(given);
  const [method = '', path = ''] = route?.split(' ') ?? [];
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  const inQuery = method === 'GET' || method === 'DELETE';
  const query = inQuery ? `?${new URLSearchParams(rest as Record<string, string>)}` : '';
  const answer = await useRest(server.url, key)(method, filled + query, inQuery ? {} : { body: rest });
  expect([200, 201]).toContain(answer.status);
  return answer.body;
}

function mcp(connect: (typeof HTTP_CLIENTS)[number][1]): Door {
  return async (tool, { given = [], input }) => {
    const { key } = await prepared(given);
    const client = await connect(server.url, key);
    try {
      const answer = await client.callTool(tool.name, { ...input });
      expect(answer.isError ?? false).toBe(false);
      return answer.structuredContent;
    } finally {
      await client.close();
    }
  };
}

/** The code of `npm run mcp`, on streams of this process instead of its own: one process a call would take minutes. */
async function stdio(tool: Tool, { given = [], input }: Example): Promise<unknown> {
  const { caller } = await prepared(given);
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const parts = {
    app,
    registry: productRegistry(),
    caller,
    locale: 'en',
    log: silentLog,
    version: '1.2.3',
  } as const;
  const server = serveStdioMcp({ ...parts, stdin: toServer, stdout: toClient });
  const client = new Client({ name: 'test', version: '1' });
  // Lines of JSON either way: the server's transport does for the other end too.
  await client.connect(new StdioServerTransport(toClient, toServer));
  try {
    const answer = await client.callTool({ name: tool.name, arguments: { ...input } });
    expect(answer.isError ?? false).toBe(false);
    return answer.structuredContent;
  } finally {
    await client.close();
    await server.close();
  }
}

/** A new account where everything before the example has been done. */
async function prepared(given: NonNullable<Example['given']>) {
  const { accountId, key } = await newKey(app);
  const caller: Caller = { accountId, actor: 'key:test', scopes: SCOPES, via: 'api_key' };
  const call = useTools(app, caller);
  for (const [name, input] of given) await call(name, { ...input });
  return { key, call, caller };
}

const VOLATILE = new Set([
  'id',
  'created_at',
  'updated_at',
  'merged_at',
  'etag',
  'render_ms',
  'merge_token',
  'next_cursor',
]);

/** An answer without what differs between two accounts or two moments. */
function comparable(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (VOLATILE.has(key) ? typeof value : value)),
  ) as Json;
}
