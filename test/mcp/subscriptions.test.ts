import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey, useRest } from '../support/server.ts';
import { type Heard, type Listener, listenTo } from './support/listener.ts';
import { rawClient } from './support/raw-client.ts';

let app: ServedApp;
let ana: { readonly key: string; readonly accountId: string };
let ben: { readonly key: string; readonly accountId: string };
/** Changes come by REST, as from any other program. */
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp();
  [ana, ben] = [await newKey(app), await newKey(app)];
  rest = useRest(app.url, ana.key);
});
afterAll(() => app.close());

let words = 0;
/** Saves a new version of a template on main; environments stay where they are. */
async function save(template = 'welcome', key = ana.key): Promise<void> {
  words += 1;
  const answer = await useRest(app.url, key)('PATCH', `/v1/templates/${template}`, {
    body: { html: `<p>Hello {{name}}, ${words}</p>`, layout: '' },
  });
  expect(answer.status).toBe(200);
}

const updated = (uri: string) => (message: Heard) =>
  message.method === 'notifications/resources/updated' && message.params?.['uri'] === uri;
const acknowledged = (listener: Listener) =>
  listener.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
const urisOf = ({ heard }: Listener) => heard.flatMap(({ params }) => params?.['uri'] ?? []);

type Session = {
  readonly client: OldClient;
  /** Resolves with the next address that changes. */
  next(): Promise<string>;
  listChanged: Promise<void>;
};

/** A session of revision 2025-11-25 with its stream. */
async function connect(key = ana.key): Promise<Session> {
  const client = new OldClient({ name: 'test', version: '1' });
  const waiting: ((uri: string) => void)[] = [];
  const told: string[] = [];
  const list = Promise.withResolvers<void>();
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params: { uri } }) => {
    const next = waiting.shift();
    if (next) next(uri);
    else told.push(uri);
  });
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => list.resolve());
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit });
  // The SDK's own class is not its Transport under exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  return {
    client,
    listChanged: list.promise,
    next: () => {
      const uri = told.shift();
      return uri === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(uri);
    },
  };
}

describe('a session of revision 2025-11-25', () => {
  test('hears that a resource it subscribed to has changed by REST, and then reads the change', async () => {
    const { client, next } = await connect();
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
    const uri = 'template://receipt@main/rendered?fixture=sample';
    await client.subscribeResource({ uri });
    const { contents: before } = await client.readResource({ uri });
    const html = '<p>Thanks, {{name}}</p>';
    await rest('PATCH', '/v1/templates/receipt', { body: { html, layout: '' } });
    expect(await next()).toBe(uri);
    const { contents: after } = await client.readResource({ uri });
    expect(after).not.toEqual(before);
    await client.close();
  });

  test('hears of production only when production has moved', async () => {
    const { client, next } = await connect();
    await client.subscribeResource({ uri: 'template://welcome@production' });
    await client.subscribeResource({ uri: 'template://welcome@main' });
    await save();
    expect(await next()).toBe('template://welcome@main');
    await client.unsubscribeResource({ uri: 'template://welcome@main' });
    await rest('POST', '/v1/templates/welcome/promote', { body: { to: 'production', from: 'main' } });
    expect(await next()).toBe('template://welcome@production');
    await client.close();
  });

  test.each(['', '/rendered'])(
    'hears of a promotion that changes the subject alone, and reads it (%s)',
    async (rendered) => {
      const { client, next } = await connect();
      const name = `subject${rendered.replace('/', '-')}`;
      const path = `/v1/templates/${name}`;
      await rest('POST', '/v1/templates', { body: { name, html: '<p>Hello</p>', subject: 'Mugs' } });
      const uri = `template://${name}@production${rendered}`;
      await client.subscribeResource({ uri });
      await rest('PATCH', path, { body: { subject: 'Cups' } });
      await rest('POST', `${path}/promote`, { body: { to: 'production', from: 'main' } });
      expect(await next()).toBe(uri);
      const { contents } = await client.readResource({ uri });
      expect(contents[0]?._meta).toEqual({ 'stallhand/version': 'v1.0.1', 'stallhand/subject': 'Cups' });
      await client.close();
    },
  );

  test('that has read the list hears when it is another', async () => {
    const { client, listChanged } = await connect();
    await client.listResources();
    await rest('POST', '/v1/templates', { body: { name: 'listed', html: '<p>x</p>' } });
    await listChanged;
    await client.close();
  });

  test('can follow a hundred resources, and no more; a guide and what it may not read not at all', async () => {
    const { client } = await connect();
    for (const uri of ['template://nope@main', 'guide://lint', 'video://vid_none', 'x'])
      await expect(client.subscribeResource({ uri })).rejects.toMatchObject({ code: expect.any(Number) });
    for (let at = 0; at < 50; at += 1) {
      const name = `fixture-${at}`;
      await rest('PUT', `/v1/templates/welcome/fixtures/${name}`, { body: { data: { at } } });
      await client.subscribeResource({ uri: `fixture://welcome/${name}` });
      await client.subscribeResource({ uri: `template://welcome@main/rendered?fixture=${name}` });
    }
    await expect(client.subscribeResource({ uri: 'template://welcome@main' })).rejects.toThrow(
      'can follow at most 100 resources',
    );
    await client.unsubscribeResource({ uri: 'fixture://welcome/fixture-0' });
    await client.subscribeResource({ uri: 'template://welcome@main' });
    await client.close();
  }, 60_000);
});

describe('a listener of revision 2026-07-28', () => {
  test('is told first what it is honored, then what changes, each with the ID of its request', async () => {
    const listener = await listenTo(app.url, ana.key, {
      resourcesListChanged: true,
      toolsListChanged: true,
      resourceSubscriptions: ['template://order@main', 'template://nope@main', 'guide://lint', 'task:job_x'],
    });
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'listen-1' };
    expect(await acknowledged(listener)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { resourcesListChanged: true },
        _meta,
      },
    });
    listener.close();
  });

  test('hears of a change by REST, and nothing of another account', async () => {
    const uri = 'template://welcome@main';
    const [own, other] = [
      await listenTo(app.url, ana.key, { resourceSubscriptions: [uri] }),
      await listenTo(app.url, ben.key, { resourceSubscriptions: [uri] }),
    ];
    await Promise.all([acknowledged(own), acknowledged(other)]);
    await save();
    await own.until(updated(uri));
    // Its own change comes after anything that it could have heard before.
    await save('welcome', ben.key);
    await other.until(updated(uri));
    expect(urisOf(other)).toEqual([uri]);
    expect(urisOf(own)).toEqual([uri]);
    own.close();
    other.close();
  });

  test('follows a task to its end', async () => {
    const call = rawClient(app.url, ana.key);
    const { result } = await call('tools/call', {
      name: 'create_video',
      arguments: { title: 'Opening day', duration: 0.5, width: 64, height: 64 },
    });
    const taskId = String(result?.['taskId']);
    const stranger = await listenTo(app.url, ben.key, {
      taskIds: [taskId],
      resourceSubscriptions: [`video://${taskId}`],
    });
    expect((await acknowledged(stranger)).params).toMatchObject({ notifications: {} });
    const listener = await listenTo(app.url, ana.key, { taskIds: [taskId, 'vid_none'] });
    expect((await acknowledged(listener)).params).toMatchObject({ notifications: { taskIds: [taskId] } });
    await call('tasks/cancel', { taskId });
    const told = await listener.until(({ method }) => method === 'notifications/tasks');
    expect(told.params).toMatchObject({ taskId, status: 'cancelled' });
    expect(stranger.heard.map(({ method }) => method)).toEqual(['notifications/subscriptions/acknowledged']);
    listener.close();
    stranger.close();
  });

  test('whose key is revoked hears no more: its stream ends', async () => {
    const { id, key } = await app.keys.create(ana.accountId, 'short', ['templates:read'], null);
    const listener = await listenTo(app.url, key, { resourceSubscriptions: ['template://welcome@main'] });
    await acknowledged(listener);
    await app.keys.revoke(ana.accountId, id);
    await save();
    await listener.ended;
    expect(urisOf(listener)).toEqual([]);
  });

  test('of ten thousand addresses has the first hundred looked at; the twenty-first stream is refused', async () => {
    const { key } = await newKey(app);
    const many = Array.from(
      { length: 10_000 },
      (_, at) => `template://welcome@${at === 9_999 ? 'main' : `b${at}`}`,
    );
    const listener = await listenTo(app.url, key, { resourceSubscriptions: many });
    expect((await acknowledged(listener)).params).toMatchObject({ notifications: {} });
    const streams = [listener];
    while (streams.length < 20) {
      const next = await listenTo(app.url, key, { resourcesListChanged: true });
      await acknowledged(next);
      streams.push(next);
    }
    const refused = await listenTo(app.url, key, { resourcesListChanged: true });
    await refused.ended;
    expect(refused.heard).toEqual([
      { jsonrpc: '2.0', id: 'listen-1', error: { code: -32603, message: 'Subscription limit reached' } },
    ]);
    for (const stream of streams) stream.close();
  }, 60_000);
});
