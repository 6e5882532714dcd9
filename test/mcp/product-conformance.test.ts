import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ResourceUpdatedNotificationSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { PRODUCT, silentLog } from '../support/app.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey, useRest } from '../support/server.ts';
import { listenTo } from './support/listener.ts';
import { rawClient } from './support/raw-client.ts';

// The official suite calls tools, prompts and resources of fixed names, which fixtures serve behind the product's
// transports. What it asks of those is asked here of the product's own, over both eras.

let app: ServedApp;
let key: string;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp();
  key = (await newKey(app)).key;
  rest = useRest(app.url, key);
  await app.jobs.start({ run: createRunJob({ app, registry: PRODUCT, log: silentLog }) });
});
afterAll(() => app.close());

const VIDEO = { title: 'Mug', duration: 0.5, width: 64, height: 64 };

/** A value for each argument of the product's prompts. */
const VALUES: Readonly<Record<string, string>> = {
  brief: 'A summer sale',
  template: 'welcome',
  language: 'es',
  from: 'production',
  to: 'main',
  topic: 'bread',
  platform: 'tiktok',
  count: '5',
  product: 'Mug',
  aspect: '1:1',
};

describe.each(['2026-07-28', '2025-11-25'])('revision %s', (revision) => {
  let client: Client;
  beforeAll(async () => {
    const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const);
    client = new Client({ name: 'suite', version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }));
  });
  afterAll(() => client.close());

  test('every prompt is described, and answers with messages that have content', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('ship_template');
    for (const { name, description, arguments: taken = [] } of prompts) {
      expect(description).toMatch(/\w/);
      const values = Object.fromEntries(taken.flatMap((one) => [[one.name, VALUES[one.name] ?? '']]));
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
      const { messages } = await client.getPrompt({ name, arguments: given });
      expect(messages.length, name).toBeGreaterThan(0);
      for (const { role, content } of messages) {
        expect(['user', 'assistant']).toContain(role);
        if (content.type === 'text') expect(content.text).toMatch(/\w/);
      }
    }
  });

  test('a prompt that lacks an argument, or is not there, is an error of the protocol', async () => {
    await expect(client.getPrompt({ name: 'ship_template', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.getPrompt({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
  });

  test('every listed resource can be read, with its address and type', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['guide://lint', 'template://welcome@main']),
    );
    for (const { uri, name, mimeType } of resources) {
      expect(name).toMatch(/\w/);
      const { contents } = await client.readResource({ uri });
      expect(contents).toEqual([
        expect.objectContaining({ uri, mimeType, text: expect.stringMatching(/\w/) }),
      ]);
    }
  });

  test('resources of every kind that has something are read by the address that their template gives', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.length).toBe(10);
    for (const uri of [
      'template://welcome@production/rendered?fixture=sample',
      'diff://welcome/production..main',
      'fixture://welcome/sample',
      'video-template://product',
    ])
      expect((await client.readResource({ uri })).contents[0], uri).toMatchObject({ uri });
  });

  test('a resource that is not there is an error of the protocol', async () => {
    await expect(client.readResource({ uri: 'template://nope@main' })).rejects.toMatchObject({
      code: expect.any(Number),
    });
  });

  test('arguments of prompts and places of addresses are completed, by what begins so', async () => {
    const prompt = { type: 'ref/prompt', name: 'ship_template' } as const;
    const { completion } = await client.complete({
      ref: prompt,
      argument: { name: 'template', value: 'wel' },
    });
    expect(completion).toMatchObject({ values: ['welcome'], hasMore: false });
    const address = { type: 'ref/resource', uri: 'template://{template}@{ref}' } as const;
    const refs = await client.complete({
      ref: address,
      argument: { name: 'ref', value: '' },
      context: { arguments: { template: 'welcome' } },
    });
    expect(refs.completion.values).toEqual(expect.arrayContaining(['production', 'main']));
    const none = await client.complete({ ref: prompt, argument: { name: 'template', value: 'zzz' } });
    expect(none.completion.values).toEqual([]);
  });
});

describe('subscriptions and tasks of revision 2026-07-28', () => {
  test('who listens to a template hears that it has changed', async () => {
    const uri = 'template://receipt@main';
    const listener = await listenTo(app.url, key, { resourceSubscriptions: [uri] });
    await listener.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await rest('PATCH', '/v1/templates/receipt', { body: { html: '<p>Thanks, {{name}}</p>', layout: '' } });
    const told = await listener.until(({ method }) => method === 'notifications/resources/updated');
    expect(told.params).toMatchObject({ uri });
    listener.close();
  });

  test('a video is a task: its status is told, and it ends with the answer of the call', async () => {
    const call = rawClient(app.url, key);
    const { result } = await call('tools/call', { name: 'create_video', arguments: VIDEO });
    expect(result).toMatchObject({ resultType: 'task', taskId: expect.stringMatching(/^vid_/) });
    const taskId = String(result?.['taskId']);
    const listener = await listenTo(app.url, key, { taskIds: [taskId] });
    await listener.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await call('tasks/cancel', { taskId });
    const told = await listener.until(
      ({ method, params }) => method === 'notifications/tasks' && params?.['status'] === 'cancelled',
    );
    expect(told.params).toMatchObject({ taskId });
    expect((await call('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
    listener.close();
  });

  test('a task that is not there is an error of the protocol', async () => {
    const { error } = await rawClient(app.url, key)('tasks/get', { taskId: 'vid_none' });
    expect(error).toMatchObject({ code: -32602 });
  });
});

describe('subscriptions and tasks of revision 2025-11-25', () => {
  async function session() {
    const client = new OldClient({ name: 'suite', version: '1' }, { capabilities: { tasks: {} } });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    // The SDK's own class is not its Transport under exactOptionalPropertyTypes.
    await client.connect(new OldTransport(new URL(`${app.url}/mcp`), { requestInit }) as Transport);
    return client;
  }

  test('who subscribes to a template hears that it has changed', async () => {
    const client = await session();
    const told = Promise.withResolvers<string>();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
      told.resolve(params.uri),
    );
    await client.subscribeResource({ uri: 'template://receipt@main' });
    await rest('PATCH', '/v1/templates/receipt', { body: { html: '<p>Hi, {{name}}</p>', layout: '' } });
    expect(await told.promise).toBe('template://receipt@main');
    await client.close();
  });

  test('a task says by itself that it has ended, as tasks-status-notifications asks', async () => {
    const client = await session();
    const ended = Promise.withResolvers<unknown>();
    client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => {
      if (params.status === 'cancelled') ended.resolve(params);
    });
    const call = { method: 'tools/call' as const, params: { name: 'create_video', arguments: VIDEO } };
    const { task } = await client.request(call, CreateTaskResultSchema, { task: {} });
    expect(task).toMatchObject({ status: 'working', taskId: expect.stringMatching(/^vid_/) });
    await client.experimental.tasks.cancelTask(task.taskId);
    expect(await ended.promise).toMatchObject({
      taskId: task.taskId,
      status: 'cancelled',
      lastUpdatedAt: expect.any(String),
    });
    await client.close();
  });

  test('the result of a task is the answer of its call', async () => {
    const client = await session();
    const call = {
      method: 'tools/call' as const,
      params: {
        name: 'export_template',
        arguments: { template: 'welcome', format: 'text', data: { name: 'Ana' } },
      },
    };
    const { task } = await client.request(call, CreateTaskResultSchema, { task: {} });
    const answer = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    expect(JSON.stringify(answer.content)).toContain('welcome.txt');
    await client.close();
  });
});
