import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, compose } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { silentLog } from '../support/app.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { newKey, startTestServer, useRest } from '../support/server.ts';
import { listenTo } from './support/listener.ts';

type Node = { readonly app: App; readonly url: string; close(): Promise<void> };

/** The whole product over a database that others have open too. */
async function openNode(database: Database, dataDir: string): Promise<Node> {
  const app = await compose(database, readConfig({ DATA_DIR: dataDir }), silentLog);
  const server = await startTestServer(app);
  return {
    app,
    url: server.url,
    async close() {
      await server.close();
      await app.close();
    },
  };
}

// The embedded database is open in one process only.
describe.skipIf(!testServer)('two nodes on one PostgreSQL', () => {
  let database: TestDatabase;
  let folder: string;
  let near: Node;
  let far: Node;
  let key: string;
  /** Everything is changed at the far node. */
  let change: ReturnType<typeof useRest>;

  beforeAll(async () => {
    database = await openTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'stallhand-nodes-'));
    far = await openNode(await openDatabase({ url: database.url, dataDir: folder }), folder);
    near = await openNode(database, folder);
    key = (await newKey(near.app)).key;
    change = useRest(far.url, key);
  });
  afterAll(async () => {
    await far.close();
    await near.close();
    await rm(folder, { recursive: true });
  });

  test('a session at one hears of a template that is saved at the other, and reads what was saved', async () => {
    const uri = 'template://welcome@main';
    const client = new Client({ name: 'test', version: '1' });
    const told = Promise.withResolvers<string>();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
      told.resolve(params.uri),
    );
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${near.url}/mcp`), { requestInit });
    // The SDK's own class is not its Transport under exactOptionalPropertyTypes.
    await client.connect(transport as Transport);
    await client.subscribeResource({ uri });
    const html = '<p>Saved at the other node</p>';
    const { status } = await change('PATCH', '/v1/templates/welcome', { body: { html, layout: '' } });
    expect(status).toBe(200);
    expect(await told.promise).toBe(uri);
    expect((await client.readResource({ uri })).contents).toMatchObject([
      { text: expect.stringContaining(html) },
    ]);
    await client.close();
  });

  test('a listener at one hears of a promotion and of a new template at the other', async () => {
    const uri = 'template://receipt@production';
    const listener = await listenTo(near.url, key, {
      resourcesListChanged: true,
      resourceSubscriptions: [uri],
    });
    await listener.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await change('PATCH', '/v1/templates/receipt', { body: { html: '<p>{{name}}</p>', layout: '' } });
    const promotion = { to: 'production', from: 'main', force: true };
    expect((await change('POST', '/v1/templates/receipt/promote', { body: promotion })).status).toBe(200);
    const updated = await listener.until(({ method }) => method === 'notifications/resources/updated');
    expect(updated.params).toMatchObject({ uri });
    await change('POST', '/v1/templates', { body: { name: 'at_the_other', html: '<p>x</p>' } });
    await listener.until(({ method }) => method === 'notifications/resources/list_changed');
    listener.close();
  });
});
