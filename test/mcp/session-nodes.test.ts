import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, compose } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { silentLog } from '../support/app.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { newKey, startTestServer } from '../support/server.ts';

type Node = { readonly app: App; readonly url: string; close(): Promise<void> };

/** A node behind a proxy on this machine, which others know by its address. */
async function openNode(database: Database, dataDir: string): Promise<Node> {
  const app = await compose(database, readConfig({ DATA_DIR: dataDir }), silentLog);
  const server = await startTestServer(app, { TRUSTED_PROXIES: 'loopback' });
  await app.nodes.join();
  await app.nodes.listensAt(server.url);
  return {
    app,
    url: server.url,
    async close() {
      await server.close();
      await app.close();
    },
  };
}

const SHOP = '203.0.113.7';

describe.skipIf(!testServer)('a session of revision 2025-11-25 at one of two nodes', () => {
  let database: TestDatabase;
  let folder: string;
  let near: Node;
  let far: Node;
  let key: string;
  let otherKey: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'stallhand-session-nodes-'));
    near = await openNode(database, folder);
    far = await openNode(await openDatabase({ url: database.url, dataDir: folder }), folder);
    key = (await newKey(near.app)).key;
    otherKey = (await newKey(near.app)).key;
    await database.sql`update api_keys set ip_whitelist = ${[`${SHOP}/32`]}`;
  });
  afterAll(async () => {
    await far.close();
    await near.close();
    await rm(folder, { recursive: true });
  });

  type Sent = { method?: string; body?: object; headers?: Record<string, string> };
  const send = (node: Node, { method = 'POST', body, headers = {} }: Sent) =>
    fetch(`${node.url}/mcp`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-11-25',
        'X-Forwarded-For': SHOP,
        ...headers,
      },
      ...(body && { body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) }),
    });

  async function begin(node: Node): Promise<string> {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const response = await send(node, { body: { method: 'initialize', params } });
    await response.text();
    return response.headers.get('Mcp-Session-Id') ?? '';
  }

  const list = (node: Node, session: string, headers: Record<string, string> = {}) =>
    send(node, { body: { method: 'tools/list' }, headers: { 'Mcp-Session-Id': session, ...headers } });

  test('is answered by both, with the address of the caller, and ended at the other', async () => {
    const session = await begin(far);
    for (const node of [near, far]) {
      const answer = await list(node, session);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('render_template')]);
    }
    const ended = await send(near, { method: 'DELETE', headers: { 'Mcp-Session-Id': session } });
    expect(ended.status).toBe(200);
    for (const node of [near, far]) expect((await list(node, session)).status).toBe(404);
  });

  test('is nobody else’s, at neither', async () => {
    const session = await begin(far);
    const Authorization = `Bearer ${otherKey}`;
    for (const node of [near, far]) expect((await list(node, session, { Authorization })).status).toBe(404);
  });

  test('is not reached from an address that only says that a node has passed it on', async () => {
    const session = await begin(far);
    const forged = {
      'X-Forwarded-For': '198.51.100.1',
      'Stallhand-Passed': `http ${SHOP} ${'0'.repeat(64)}`,
    };
    for (const node of [near, far]) expect((await list(node, session, forged)).status).toBe(403);
  });

  test('is unknown where its node is not reached; a node that dies while it answers breaks the connection', async () => {
    const session = await begin(far);
    const dying = createServer((socket) => socket.once('data', () => socket.destroy())).listen(
      0,
      '127.0.0.1',
    );
    await once(dying, 'listening');
    await far.app.nodes.listensAt(`http://127.0.0.1:${(dying.address() as AddressInfo).port}`);
    await expect(list(near, session)).rejects.toThrow('fetch failed');
    dying.close();
    await once(dying, 'close');
    expect((await list(near, session)).status).toBe(404);
    // What answers there does not speak TLS.
    await far.app.nodes.listensAt(far.url.replace('http:', 'https:'));
    expect((await list(near, session)).status).toBe(404);
    await far.app.nodes.listensAt(far.url);
    expect((await list(near, session)).status).toBe(200);
  });

  test('is unknown once its node has left, and where a node is only claimed', async () => {
    const session = await begin(far);
    expect((await list(near, session.replace(/\w{3}\./, 'xxx.'))).status).toBe(404);
    await far.app.nodes.leave();
    expect((await list(near, session)).status).toBe(404);
  });
});
