import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import type { Caller } from '../../src/identity/caller.ts';
import { defineTool } from '../../tools/contract/define.ts';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { newCaller, openTestApp, PRODUCT, silentLog, type TestApp } from '../support/app.ts';
import { type RawClient, rawClient } from './support/raw-client.ts';
import { authenticateAs, type Running, registryOf, startServer } from './support/server.ts';

let app: TestApp;
let server: Running;
let ana: RawClient;
let ben: RawClient;
/** Ana without the extension. */
let plain: RawClient;
let callers: Record<string, Caller>;
/** What stories wait for. */
const stories = new Map<string, PromiseWithResolvers<string>>();

const story = (about: string) => {
  const waiting = stories.get(about) ?? Promise.withResolvers<string>();
  // Where it is rejected before the job begins.
  waiting.promise.catch(() => {});
  stories.set(about, waiting);
  return waiting;
};

/** Takes as long as the test wants. */
const writeStory = defineTool({
  name: 'write_story',
  title: 'Write a story',
  description: 'Writes a story, which takes long and costs money.',
  toolset: 'templates',
  effect: 'external',
  job: true,
  scope: 'templates:write',
  rest: { route: 'POST /v1/stories' },
  mcp: { core: true, view: ({ text, byModel }) => `The story: ${text} (by model: ${byModel})` },
  input: z.object({ about: z.string().max(20) }),
  output: z.object({ text: z.string(), byModel: z.boolean() }),
  run: async ({ about }, { signal, progress, byModel }) => {
    progress(1, 3, 'writing');
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    const text = await Promise.race([story(about).promise, aborted]);
    return { text: `${about}: ${text}`, byModel: byModel === true };
  },
  examples: [{ title: 'A story', input: { about: 'tea' } }],
});

beforeAll(async () => {
  app = await openTestApp();
  callers = {
    ana: await newCaller(app, 'ana'),
    ben: await newCaller(app, 'ben'),
  };
  const registry = registryOf([writeStory, ...PRODUCT.tools.filter(({ toolset }) => toolset !== 'meta')]);
  await app.jobs.start({ run: createRunJob({ app, registry, log: silentLog }) });
  server = await startServer({
    app,
    registry,
    authenticate: authenticateAs(callers),
  });
  ana = rawClient(server.url, 'ana');
  ben = rawClient(server.url, 'ben');
  plain = rawClient(server.url, 'ana', {});
});
afterAll(async () => {
  await server.close();
  await app.close();
});

async function begin(about: string, name = 'write_story', args: object = { about }): Promise<string> {
  const { result } = await ana('tools/call', { name, arguments: args });
  expect(result).toMatchObject({ resultType: 'task', status: 'working' });
  return String(result?.['taskId']);
}

/** The task once it has ended, by its job. */
async function ended(taskId: string, client = ana) {
  const signal = new AbortController().signal;
  const account = callers[client === ben ? 'ben' : 'ana']?.accountId ?? '';
  for await (const _job of app.jobs.follow(account, taskId, 0, signal));
  return (await client('tasks/get', { taskId })).result;
}

const textOf = (result: unknown) =>
  z.object({ content: z.array(z.looseObject({ text: z.string().optional() })) }).parse(result).content[0]
    ?.text;

describe('a client that knows tasks', () => {
  test('is told that the server answers with them', async () => {
    const { result } = await ana('server/discover');
    expect(result).toMatchObject({ capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } });
  });

  test('is answered with a task at once, which is a job under its own ID', async () => {
    const { result } = await ana('tools/call', { name: 'write_story', arguments: { about: 'tea' } });
    const { taskId, createdAt, lastUpdatedAt, ...rest } = z
      .looseObject({ taskId: z.string(), createdAt: z.iso.datetime(), lastUpdatedAt: z.iso.datetime() })
      .parse(result);
    expect(rest).toMatchObject({
      resultType: 'task',
      status: 'working',
      ttlMs: 604_800_000,
      pollIntervalMs: 1000,
    });
    expect(rest).not.toHaveProperty('result');
    expect(createdAt).toBe(lastUpdatedAt);
    expect((await app.jobs.get(callers['ana']?.accountId ?? '', taskId)).tool).toBe('write_story');
    story('tea').resolve('the end');
    expect(await ended(taskId)).toMatchObject({ taskId, status: 'completed', resultType: 'complete' });
  });

  test('gets with the task the answer of the call, in marks, as a model made it', async () => {
    const taskId = await begin('milk');
    expect((await ana('tasks/get', { taskId })).result).not.toHaveProperty('result');
    story('milk').resolve('the end');
    const { result } = z.looseObject({ result: z.unknown() }).parse(await ended(taskId));
    expect(textOf(result)).toMatch(
      /<data-(\w+)>\s*The story: milk: the end \(by model: true\)\s*<\/data-\1>/,
    );
    expect(result).not.toHaveProperty('isError');
  });

  test('sees how far it is', async () => {
    const taskId = await begin('far');
    const account = callers['ana']?.accountId ?? '';
    for await (const job of app.jobs.follow(account, taskId, 0, new AbortController().signal))
      if (job.progress) break;
    expect((await ana('tasks/get', { taskId })).result).toMatchObject({
      status: 'working',
      statusMessage: 'writing, 1 of 3',
    });
    story('far').resolve('');
    await ended(taskId);
  });

  test('gets a task through run_tool too', async () => {
    const args = { name: 'write_story', arguments: { about: 'bread' } };
    const taskId = await begin('bread', 'run_tool', args);
    story('bread').resolve('the end');
    const { result } = z.looseObject({ result: z.unknown() }).parse(await ended(taskId));
    expect(textOf(result)).toContain('bread: the end');
  });

  test('has the fault of a tool as a result, and one of ours as an error', async () => {
    const [refused, broken] = [await begin('refused'), await begin('broken')];
    story('refused').reject(new Fault('not_found.template', { name: 'tea' }));
    story('broken').reject(new Error('the shelf fell'));
    expect(await ended(refused)).toMatchObject({
      status: 'completed',
      result: { isError: true, _meta: { code: 'not_found' } },
    });
    const failed = await ended(broken);
    expect(failed).toMatchObject({ status: 'failed', error: { code: -32603 } });
    expect(JSON.stringify(failed)).not.toContain('shelf');
    expect(failed).not.toHaveProperty('result');
  });

  test('is told at once what is wrong with a call: no task is made', async () => {
    const before = (await app.jobs.list(callers['ana'] as Caller, { limit: 200 })).items.length;
    const { result } = await ana('tools/call', { name: 'write_story', arguments: { about: 7 } });
    expect(result).toMatchObject({
      resultType: 'complete',
      isError: true,
      _meta: { code: 'validation_failed' },
    });
    expect((await app.jobs.list(callers['ana'] as Caller, { limit: 200 })).items.length).toBe(before);
  });

  test('cancels a task, and again without a complaint', async () => {
    const taskId = await begin('endless');
    expect(await ana('tasks/cancel', { taskId })).toMatchObject({ result: { resultType: 'complete' } });
    expect(await ended(taskId)).toMatchObject({ status: 'cancelled' });
    expect(await ana('tasks/cancel', { taskId })).toMatchObject({ result: { resultType: 'complete' } });
    expect(await ana('tasks/update', { taskId, inputResponses: {} })).toMatchObject({
      result: { resultType: 'complete' },
    });
  });
});

test('a small picture is in the result of a task as in the answer of a call', async () => {
  const { result } = await ana('tools/call', {
    name: 'export_template',
    arguments: { template: 'welcome', format: 'pdf', fixture: 'sample' },
  });
  const { result: answer } = z
    .looseObject({ result: z.unknown() })
    .parse(await ended(String(result?.['taskId'])));
  expect(answer).toMatchObject({
    content: [{ type: 'text' }, { type: 'resource', resource: { mimeType: 'application/pdf' } }],
  });
}, 60_000);

test('a video is a task under its own ID', async () => {
  const { result } = await ana('tools/call', {
    name: 'create_video',
    arguments: { title: 'Opening day', duration: 0.5, width: 64, height: 64 },
  });
  expect(result).toMatchObject({
    resultType: 'task',
    status: 'working',
    taskId: expect.stringMatching(/^vid_/),
    ttlMs: null,
  });
  const taskId = result?.['taskId'];
  expect((await ben('tasks/get', { taskId })).error).toMatchObject({ code: -32602 });
  await ana('tasks/cancel', { taskId });
  expect((await ana('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
});

describe('no one else', () => {
  test('reads, changes or cancels a task of another account', async () => {
    const taskId = await begin('ours');
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const { error } = await ben(method, { taskId, inputResponses: {} });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('not found') });
    }
    expect((await ana('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
    story('ours').resolve('');
    await ended(taskId);
  });

  test('reads a task for which it has not the scopes', async () => {
    const { accountId } = callers['ana'] as Caller;
    callers['reader'] = { accountId, actor: 'reader', scopes: ['templates:read'], via: 'api_key' };
    const taskId = await begin('closed');
    const reader = rawClient(server.url, 'reader');
    expect((await reader('tasks/get', { taskId })).error).toMatchObject({ code: -32602 });
    expect((await reader('tasks/cancel', { taskId })).error).toMatchObject({ code: -32602 });
    story('closed').resolve('');
    await ended(taskId);
  });

  test('learns of a task that there is none of, or with an ID that is none', async () => {
    for (const taskId of ['job_none', 'vid_none', "'; drop table jobs", 'x'.repeat(64)])
      expect((await ana('tasks/get', { taskId })).error).toMatchObject({ code: -32602 });
    expect((await ana('tasks/get', { taskId: 'x'.repeat(65) })).error).toMatchObject({ code: -32602 });
  });
});

describe('a client that does not know tasks', () => {
  test('is answered as ever', async () => {
    story('plain').resolve('the end');
    const { result } = await plain('tools/call', { name: 'write_story', arguments: { about: 'plain' } });
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(textOf(result)).toContain('plain: the end');
  });

  test('is refused the methods of tasks, with what it lacks', async () => {
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const { error } = await plain(method, { taskId: 'job_x', inputResponses: {} });
      expect(error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      });
    }
  });
});

test('a conversation that may not use a tool does not see its tasks', async () => {
  const taskId = await begin('narrow');
  const narrow = rawClient(`${server.url}?tools=get_template`, 'ana');
  expect((await narrow('tasks/get', { taskId })).error).toMatchObject({ code: -32602 });
  story('narrow').resolve('');
  await ended(taskId);
});
