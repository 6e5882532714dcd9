import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { createCatalogue } from '../../tools/mcp/catalog.ts';
import { serveStdioMcp } from '../../tools/mcp/serve-stdio.ts';
import type { PartnerEvents } from '../../tools/mcp/stdio/conversation.ts';
import { startInProcess } from '../../tools/mcp/stdio/in-process.ts';
import { holdStdioConversation } from '../../tools/mcp/stdio/stdio.ts';
import { newCaller, openTestApp, PRODUCT, silentLog, type TestApp, useTools } from '../support/app.ts';
import { enveloped } from './support/raw-client.ts';

let app: TestApp;
let caller: Caller;

beforeAll(async () => {
  app = await openTestApp();
  caller = await newCaller(app);
});
afterAll(() => app.close());

type Message = JSONRPCMessage & {
  readonly method?: string;
  readonly id?: unknown;
  readonly params?: Record<string, unknown>;
};

/** A client's end of a conversation whose partners the test can end. */
async function converse() {
  const common = { log: silentLog, version: '1.2.3' };
  const visit = { caller, locale: 'en', baseUrl: '' } as const;
  const partners: PartnerEvents[] = [];
  const [near, far] = InMemoryTransport.createLinkedPair();
  const heard: Message[] = [];
  let wake = () => {};
  near.onmessage = (message) => {
    heard.push(message as Message);
    wake();
  };
  const conversation = await holdStdioConversation({
    ...common,
    catalogue: createCatalogue(PRODUCT),
    visit,
    open: (events) => {
      partners.push(events);
      const served = { ...common, ...visit, app, registry: PRODUCT };
      return startInProcess((transport) => serveStdioMcp({ ...served, transport }), events);
    },
    wire: far,
  });
  await near.start();
  return {
    partners,
    heard,
    send: (message: object) => near.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage),
    async until(passes: (message: Message) => boolean): Promise<Message> {
      for (let from = 0; ; ) {
        const found = heard.slice(from).find(passes);
        if (found) {
          heard.splice(heard.indexOf(found), 1);
          return found;
        }
        from = heard.length;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close: () => conversation.close(),
  };
}

let words = 0;
const save = () => {
  words += 1;
  const html = `<p>Hello {{name}}, ${words}</p>`;
  return useTools(app, caller)('update_template', { template: 'welcome', html, layout: '' });
};

const URI = 'template://welcome@main';
const isNews = ({ method, params }: Message) =>
  method === 'notifications/resources/updated' && params?.['uri'] === URI;

test('over stdio, a listener hears of changes, also of those that come after its partner was replaced', async () => {
  const client = await converse();
  const params = enveloped({ notifications: { resourceSubscriptions: [URI] } });
  await client.send({ id: 7, method: 'subscriptions/listen', params });
  const { params: honored } = await client.until(
    ({ method }) => method === 'notifications/subscriptions/acknowledged',
  );
  expect(honored).toEqual({
    notifications: { resourceSubscriptions: [URI] },
    _meta: { 'io.modelcontextprotocol/subscriptionId': 7 },
  });
  await save();
  expect((await client.until(isNews)).params).toEqual({
    uri: URI,
    _meta: { 'io.modelcontextprotocol/subscriptionId': 7 },
  });
  client.partners[0]?.closed();
  // The next partner answers after it has taken over what is followed.
  const list = { name: 'list_templates', arguments: {} };
  await client.send({ id: 8, method: 'tools/call', params: enveloped(list) });
  await client.until(({ id }) => id === 8);
  await save();
  await client.until(isNews);
  expect(client.partners).toHaveLength(2);
  expect(client.heard.filter(({ method }) => method?.endsWith('acknowledged'))).toEqual([]);
  await client.close();
});

test('over stdio, a session of 2025-11-25 hears of what it subscribed to, also after its partner was replaced', async () => {
  const client = await converse();
  const introduction = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  await client.send({ id: 1, method: 'initialize', params: introduction });
  await client.until(({ id }) => id === 1);
  await client.send({ method: 'notifications/initialized' });
  await client.send({ id: 2, method: 'resources/subscribe', params: { uri: URI } });
  expect(await client.until(({ id }) => id === 2)).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  await save();
  await client.until(isNews);
  client.partners[0]?.closed();
  await client.send({ id: 3, method: 'tools/call', params: { name: 'list_templates', arguments: {} } });
  await client.until(({ id }) => id === 3);
  await save();
  await client.until(isNews);
  await client.close();
});
