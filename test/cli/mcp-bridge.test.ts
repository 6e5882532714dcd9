import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey } from '../support/server.ts';

let app: ServedApp;
let key: string;

beforeAll(async () => {
  app = await openServedApp();
  ({ key } = await newKey(app));
});
afterAll(() => app.close());

async function connect(token: string, mode: 'legacy' | 'auto') {
  const client = new Client({ name: 'bridged', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', 'cli/main.ts', 'mcp', '--url', app.url],
      // The key is not in the arguments, which every process of the machine can read.
      env: { STALLHAND_API_KEY: token, PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
      stderr: 'pipe',
    }),
  );
  return client;
}

test.for(['legacy', 'auto'] as const)(
  'stallhand mcp --url reaches a server elsewhere, %s revision',
  async (mode) => {
    const client = await connect(key, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('render_template');
    const { content, isError } = await client.callTool({
      name: 'render_template',
      arguments: { template: 'welcome', data: { name: 'Ana' } },
    });
    expect([isError, JSON.stringify(content)]).toEqual([undefined, expect.stringContaining('Ana')]);
    await client.close();
  },
);

test('a key that the server does not know is an answer, not a hang', async () => {
  await expect(connect('sh_live_wrong', 'legacy')).rejects.toThrow(
    /the call to the Stallhand server at .* failed/i,
  );
});
