import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textOf } from '../mcp/support/clients.ts';
import { newBrowser, newPerson, type Person, signInAs, WIDE_LIMITS } from '../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { installPackages } from './install.ts';

const BRIDGE = 'mcp-remote@0.15.1';

let app: ServedApp;
let ana: Person & { readonly token: string };
let installed: string;
let folder: string;

beforeAll(async () => {
  installed = await installPackages([BRIDGE], []);
  folder = await mkdtemp(join(tmpdir(), 'stallhand-mcp-remote-'));
  app = await openServedApp({ RATE_LIMITS: WIDE_LIMITS });
  ana = await newPerson(app.url, 'ana');
}, 600_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
});

/** The bridge as a desktop client starts it, with what it writes for a person. */
function startBridge() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      join(installed, 'node_modules/mcp-remote/dist/proxy.js'),
      ...[`${app.url}/mcp`, '--transport', 'http-only'],
    ],
    // Without a browser on the path, the person opens the address that it writes.
    env: { HOME: folder, PATH: '', MCP_REMOTE_CONFIG_DIR: join(folder, 'auth') },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  return { transport, said: () => said };
}

/** The default list without the two tools that change production, which the person did not tick. */
const LISTED = { tools: 22, promoting: 0, isFound: true };

async function listAndCall(client: Client) {
  const { tools } = await client.listTools();
  const answer = await client.callTool({ name: 'list_templates', arguments: { q: 'welcome' } });
  const promoting = tools.filter(({ name }) => /^(promote|rollback)_/.test(name)).length;
  return { tools: tools.length, promoting, isFound: textOf(answer).includes('welcome') };
}

test(`${BRIDGE} registers, has a person sign in, connects, lists and calls; a second start needs no person`, async () => {
  const bridge = startBridge();
  const client = new Client({ name: 'desktop', version: '1' });
  const connecting = client.connect(bridge.transport, { timeout: 120_000 });
  const address = () => new RegExp(`${app.url}/oauth/authorize\\S+`).exec(bridge.said())?.[0] ?? '';
  await expect.poll(address, { timeout: 60_000 }).not.toBe('');
  const back = new URL(new URL(address()).searchParams.get('redirect_uri') ?? '');
  const browser = newBrowser(app.url, [back.origin]);
  const consent = await signInAs(browser, await browser.open(address()), ana);
  const end = await browser.submit(consent, 'action=allow');
  expect([end.status, end.url.origin]).toEqual([200, back.origin]);
  await connecting;
  expect(await listAndCall(client)).toEqual(LISTED);
  await client.close();

  const again = startBridge();
  const second = new Client({ name: 'desktop', version: '1' });
  await second.connect(again.transport, { timeout: 120_000 });
  expect(await listAndCall(second)).toEqual(LISTED);
  expect(again.said()).not.toContain('/oauth/authorize');
  await second.close();
  expect(await readdir(join(folder, 'auth'))).not.toEqual([]);
}, 300_000);
