import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InstallExample, installExamples } from '../support/install-page.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey } from '../support/server.ts';

const CLIENTS = ['Claude Desktop', 'Claude Code', 'Cursor', 'VS Code', 'Codex', 'Gemini CLI', 'Windsurf'];
const EXAMPLE_SERVER = 'https://stallhand.example.com';

let app: ServedApp;
let key: string;

beforeAll(async () => {
  app = await openServedApp();
  ({ key } = await newKey(app));
});
afterAll(() => app.close());

test('every client has an example for this machine and one for a server', () => {
  const examples = installExamples('sh_live_key').map(({ client, ...rest }) => [client, kindOf(rest)]);
  expect(examples).toEqual(
    CLIENTS.flatMap((client) => ['this machine', 'a server'].map((kind) => [client, kind])),
  );
});

test('the examples for this machine are one command', () => {
  const local = installExamples('').filter((example) => kindOf(example) === 'this machine');
  expect(new Set(local.map(({ client, ...rest }) => JSON.stringify(rest)))).toEqual(
    new Set([
      JSON.stringify({ command: 'stallhand', args: ['mcp'], env: { DATA_DIR: '/home/ana/stallhand' } }),
    ]),
  );
});

test.each(CLIENTS)('%s reaches a server as its example says', async (name) => {
  const example = installExamples(key).find((each) => each.client === name && kindOf(each) === 'a server');
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transportOf(example));
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toContain('render_template');
  await client.close();
});

function transportOf(example: InstallExample | undefined) {
  if (!example) throw new Error('no example');
  if ('url' in example) {
    const address = new URL(example.url.replace(EXAMPLE_SERVER, app.url));
    return new StreamableHTTPClientTransport(address, { requestInit: { headers: example.headers } });
  }
  return new StdioClientTransport({
    // A checkout runs its source; test/faults/package.test.ts installs the command.
    command: process.execPath,
    args: ['bin/stallhand.cjs', ...example.args.map((each) => each.replace(EXAMPLE_SERVER, app.url))],
    env: { ...example.env, PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
    stderr: 'pipe',
  });
}

function kindOf(example: object): string {
  const local = 'args' in example && Array.isArray(example.args) && !example.args.includes('--url');
  return local ? 'this machine' : 'a server';
}
