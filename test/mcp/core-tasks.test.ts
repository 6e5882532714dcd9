import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Caller, SCOPES } from '../../src/identity/caller.ts';
import { defineTool } from '../../tools/contract/define.ts';
import type { Registry } from '../../tools/contract/registry.ts';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { serveStdioMcp } from '../../tools/mcp/serve-stdio.ts';
import { newCaller, openTestApp, PRODUCT, silentLog, type TestApp } from '../support/app.ts';
import { NO, type Said, YES } from './support/asked-clients.ts';
import { rawClient } from './support/raw-client.ts';
import { authenticateAs, type Running, registryOf, startServer } from './support/server.ts';

let app: TestApp;
let server: Running;
let registry: Registry;
const callers: Record<string, Caller> = {};
/** What a story waits for. */
let end: PromiseWithResolvers<string>;
let burned: string[];
let filed: string[];

const spec = {
  toolset: 'templates',
  effect: 'external',
  scope: 'templates:write',
  output: z.object({ text: z.string() }),
} as const;

const writeStory = defineTool({
  ...spec,
  name: 'write_story',
  title: 'Write a story',
  description: 'Writes a story, which takes as long as the test wants.',
  job: true,
  mcp: { core: true },
  input: z.object({ about: z.string().max(20) }),
  run: async ({ about }, { signal }) => {
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    return { text: `${about}: ${await Promise.race([end.promise, aborted])}` };
  },
  examples: [{ title: 'A story', input: { about: 'tea' } }],
});
const burnStories = defineTool({
  ...spec,
  name: 'burn_stories',
  title: 'Burn stories',
  description: 'Burns all stories.',
  job: true,
  mcp: { core: true },
  confirm: async () => ({ key: 'delete_template', params: { template: 'stories' } }),
  input: z.object({}),
  run: async () => {
    burned.push('stories');
    return { text: 'ashes' };
  },
  examples: [{ title: 'All', input: {} }],
});
const signStory = defineTool({
  ...spec,
  name: 'sign_story',
  title: 'Sign a story',
  description: 'Signs a story with what only this process has.',
  job: true,
  needsThisProcess: () => true,
  mcp: { core: true },
  input: z.object({}),
  run: async () => ({ text: 'signed here' }),
  examples: [{ title: 'The story', input: {} }],
});
const fileStory = defineTool({
  ...spec,
  name: 'file_story',
  title: 'File a story',
  description: 'Files a story, which is quick.',
  mcp: { core: true },
  input: z.object({}),
  run: async () => {
    filed.push('story');
    return { text: 'filed' };
  },
  examples: [{ title: 'The story', input: {} }],
});

beforeAll(async () => {
  app = await openTestApp();
  const { accountId, actor } = await newCaller(app, 'ana');
  callers['ana'] = { accountId, actor, scopes: SCOPES, via: 'api_key' };
  callers['reader'] = { accountId, actor: 'reader', scopes: ['templates:read'], via: 'api_key' };
  callers['ben'] = await newCaller(app, 'ben');
  const others = PRODUCT.tools.filter(({ toolset }) => toolset !== 'meta');
  registry = registryOf([writeStory, burnStories, signStory, fileStory, ...others]);
  await app.jobs.start({ run: createRunJob({ app, registry, log: silentLog }) });
  server = await startServer({
    app,
    registry,
    authenticate: authenticateAs(callers),
  });
});
beforeEach(() => {
  end = Promise.withResolvers();
  // Where it is rejected before the job begins.
  end.promise.catch(() => {});
  burned = [];
  filed = [];
});
afterAll(async () => {
  await server.close();
  await app.close();
});

async function overHttp(client: OldClient, key = 'ana', query = '') {
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp${query}`), { requestInit });
  // The SDK's own classes are not its Transport under exactOptionalPropertyTypes.
  await client.connect(transport as OldTransport);
}

/** The server of stdio, on the same kind of transport in this process. */
async function overStdio(client: OldClient, key = 'ana') {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const caller = callers[key] as Caller;
  const common = { app, registry, caller, locale: 'en', baseUrl: '', log: silentLog, version: '1' } as const;
  serveStdioMcp({ ...common, transport: far as never });
  await client.connect(near);
}

type Task = { readonly taskId: string; readonly status: string };

/** A client of the official SDK of that era, whose person says this. */
async function open(connect: typeof overHttp, said?: Said) {
  const client = new OldClient(
    { name: 'core', version: '1' },
    { capabilities: said ? { elicitation: { form: {} } } : {}, defaultTaskPollInterval: 50 },
  );
  const asked: string[] = [];
  const told: string[] = [];
  if (said)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { ...said };
    });
  client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => {
    told.push(`${params.taskId} ${params.status}`);
  });
  await connect(client);
  const { tasks } = client.experimental;
  return {
    ...{ client, asked, told, tasks },
    async begin(name: string, args: Record<string, unknown> = {}): Promise<Task> {
      const call = { method: 'tools/call' as const, params: { name, arguments: args } };
      return (await client.request(call, CreateTaskResultSchema, { task: {} })).task;
    },
    result: (taskId: string) => tasks.getTaskResult(taskId, CallToolResultSchema),
  };
}

describe.each([
  ['Streamable HTTP', overHttp],
  ['standard input and output', overStdio],
] as const)('a client of revision 2025-11-25 over %s', (_name, connect) => {
  test('is told which calls can be tasks', async () => {
    const { client } = await open(connect);
    expect(client.getServerCapabilities()?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    });
    const { tools } = await client.listTools();
    const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
    expect(support).toMatchObject({
      write_story: 'optional',
      create_video: 'optional',
      run_tool: 'optional',
    });
    expect(support['get_template']).toBeUndefined();
    await client.close();
  });

  test('follows a task from its call to its result, by the helper of the SDK', async () => {
    const { client, tasks } = await open(connect);
    await client.listTools();
    const seen: string[] = [];
    const params = { name: 'write_story', arguments: { about: 'tea' } };
    for await (const message of tasks.callToolStream(params)) {
      seen.push(message.type);
      if (message.type === 'taskCreated') {
        expect(message.task).toMatchObject({ status: 'working', ttl: 604_800_000, pollInterval: 1000 });
        end.resolve('the end');
      }
      if (message.type === 'result') expect(JSON.stringify(message.result)).toContain('tea: the end');
    }
    expect([seen[0], seen.at(-1)]).toEqual(['taskCreated', 'result']);
    await client.close();
  });

  test('waits with tasks/result for the answer of the call, and is told how the task went', async () => {
    const { client, begin, result, tasks, told } = await open(connect);
    const { taskId } = await begin('write_story', { about: 'milk' });
    expect(await tasks.getTask(taskId)).toMatchObject({ taskId, status: 'working' });
    const waiting = result(taskId);
    end.resolve('the end');
    expect(await waiting).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('milk: the end') }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    });
    expect(await tasks.getTask(taskId)).toMatchObject({ taskId, status: 'completed' });
    await expect.poll(() => told).toContain(`${taskId} completed`);
    await client.close();
  });

  test('puts to the person what the task asks, while tasks/result waits', async () => {
    const { client, begin, result, asked } = await open(connect, YES);
    const { taskId } = await begin('burn_stories');
    expect(await result(taskId)).toMatchObject({ content: [{ text: expect.stringContaining('ashes') }] });
    expect(asked).toEqual(["Delete the template 'stories'? It can be restored for 30 days."]);
    expect(burned).toEqual(['stories']);
    await client.close();
  });

  test('changes nothing when they say no: the task has failed', async () => {
    const { client, begin, result, tasks } = await open(connect, NO);
    const { taskId } = await begin('burn_stories');
    expect(await result(taskId)).toMatchObject({ isError: true, _meta: { code: 'confirmation_required' } });
    expect(await tasks.getTask(taskId)).toMatchObject({ status: 'failed' });
    expect(burned).toEqual([]);
    await client.close();
  });

  test('cancels a task once', async () => {
    const { client, begin, result, tasks } = await open(connect);
    const { taskId } = await begin('write_story', { about: 'endless' });
    expect(await tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
    await expect(tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 });
    await expect(result(taskId)).rejects.toThrow('This task was canceled');
    await client.close();
  });

  test('gets a task that is done where the call had to run at once, and an error where it is wrong', async () => {
    const { client, begin, result } = await open(connect);
    const task = await begin('run_tool', { name: 'sign_story', arguments: {} });
    expect(task).toMatchObject({ status: 'completed', taskId: expect.stringMatching(/^job_/) });
    expect(JSON.stringify(await result(task.taskId))).toContain('signed here');
    await expect(begin('write_story', { about: 7 })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('gets no task of what does not take long, by its own name or through another tool, and nothing of it has run', async () => {
    const { client, begin } = await open(connect);
    const refused = { code: -32601, message: expect.stringContaining("can't be called as a task") };
    await expect(begin('get_template', { template: 'welcome' })).rejects.toMatchObject(refused);
    const read = { name: 'get_template', arguments: { template: 'welcome' } };
    await expect(begin('read_tool', read)).rejects.toMatchObject(refused);
    await expect(begin('run_tool', { name: 'file_story', arguments: {} })).rejects.toMatchObject(refused);
    await expect(begin('run_tool', { name: 'no_such_tool' })).rejects.toMatchObject(refused);
    expect(filed).toEqual([]);
    const { items } = await app.jobs.list(callers['ana'] as Caller, { limit: 100 });
    const made = items.map(({ tool }) => tool);
    for (const tool of ['get_template', 'file_story']) expect(made).not.toContain(tool);
    await client.close();
  });

  test('has a video as a task under its own ID', async () => {
    const { client, begin, tasks } = await open(connect);
    const { taskId } = await begin('create_video', {
      title: 'Opening',
      duration: 0.5,
      width: 64,
      height: 64,
    });
    expect(taskId).toMatch(/^vid_/);
    expect(await tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
    await client.close();
  });
});

test('tasks/list has jobs, videos and syncs, page by page, and nothing of others', async () => {
  const { client, begin, tasks } = await open(overHttp);
  const [story, video] = [
    await begin('write_story', { about: 'list' }),
    await begin('create_video', { title: 'List', duration: 0.5, width: 64, height: 64 }),
  ];
  const idsOf = async (one: typeof tasks) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await one.listTasks(cursor);
      ids.push(...page.tasks.map(({ taskId }) => taskId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return ids;
  };
  const own = await idsOf(tasks);
  expect(own).toContain(story.taskId);
  expect(own).toContain(video.taskId);
  expect(new Set(own).size).toBe(own.length);
  await expect(tasks.listTasks('nonsense')).rejects.toMatchObject({ code: -32602 });
  for (const key of ['ben', 'reader']) {
    const other = await open((one) => overHttp(one, key));
    const ids = await idsOf(other.tasks);
    expect(ids).not.toContain(story.taskId);
    expect(ids).not.toContain(video.taskId);
    await other.client.close();
  }
  await tasks.cancelTask(story.taskId);
  await tasks.cancelTask(video.taskId);
  await client.close();
});

test('no one else reads, waits for or cancels a task: it is as if there were none', async () => {
  const { client, begin, tasks } = await open(overHttp);
  const { taskId } = await begin('write_story', { about: 'ours' });
  for (const connect of [
    (one: OldClient) => overHttp(one, 'ben'),
    (one: OldClient) => overHttp(one, 'reader'),
    (one: OldClient) => overHttp(one, 'ana', '?tools=get_template'),
  ]) {
    const other = await open(connect);
    const missing = { code: -32602, message: expect.stringContaining('not found') };
    await expect(other.tasks.getTask(taskId)).rejects.toMatchObject(missing);
    await expect(other.result(taskId)).rejects.toMatchObject(missing);
    await expect(other.tasks.cancelTask(taskId)).rejects.toMatchObject(missing);
    await other.client.close();
  }
  // Clients of 2026 with the same rights know it by the same ID.
  const { result } = await rawClient(server.url, 'ana')('tasks/get', { taskId });
  expect(result).toMatchObject({ taskId, status: 'working' });
  expect(await tasks.cancelTask(taskId)).toMatchObject({ status: 'cancelled' });
  await client.close();
});

test('an account waits for 20 results at the same time; a session that ends gives its part back', async () => {
  const [first, second] = [await open(overHttp), await open(overHttp)];
  const { taskId } = await first.begin('write_story', { about: 'long' });
  const full = { message: expect.stringContaining('can wait for the results of at most 20 tasks') };
  const waiting = Array.from({ length: 21 }, () => first.result(taskId));
  await expect(Promise.race(waiting)).rejects.toMatchObject(full);
  await expect(second.result(taskId)).rejects.toMatchObject(full);
  const others = await open((one) => overHttp(one, 'ben'));
  await expect(others.result(taskId)).rejects.toThrow('not found');
  await (first.client.transport as StreamableHTTPClientTransport).terminateSession();
  await first.client.close();
  await Promise.allSettled(waiting);
  end.resolve('the end');
  expect(JSON.stringify(await second.result(taskId))).toContain('long: the end');
  await second.client.close();
  await others.client.close();
});

test('revision 2026-07-28 has only the extension', async () => {
  const modern = rawClient(server.url, 'ana');
  const { capabilities } = ((await modern('server/discover')).result ?? {}) as { capabilities: object };
  expect(capabilities).not.toHaveProperty('tasks');
  expect(JSON.stringify((await modern('tools/list')).result)).not.toContain('taskSupport');
  for (const method of ['tasks/result', 'tasks/list'])
    expect((await modern(method, { taskId: 'job_x' })).error).toMatchObject({ code: -32601 });
});
