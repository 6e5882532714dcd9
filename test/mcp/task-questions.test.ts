import type { ClientCapabilities } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../../src/identity/caller.ts';
import { SCOPES } from '../../src/identity/caller.ts';
import { defineTool } from '../../tools/contract/define.ts';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { newCaller, openTestApp, PRODUCT, silentLog, type TestApp } from '../support/app.ts';
import { NO, YES } from './support/asked-clients.ts';
import { confirmationOf } from './support/clients.ts';
import { type RawClient, rawClient, TASKS } from './support/raw-client.ts';
import { authenticateAs, type Running, registryOf, startServer } from './support/server.ts';

let app: TestApp;
let server: Running;
let ana: RawClient;
/** What the shelf holds now, and what was burned. */
let shelf: string[];
let burned: string[];
/** What happens once there is a job, before it runs. */
let beforeRun: () => void;

const burnStories = defineTool({
  name: 'burn_stories',
  title: 'Burn stories',
  description: 'Burns the stories on the shelf, which takes long.',
  toolset: 'templates',
  effect: 'delete',
  job: true,
  scope: 'templates:write',
  mcp: { core: true },
  input: z.object({ only: z.string().max(20).optional() }),
  output: z.object({ burned: z.array(z.string()) }),
  confirm: async (_input, { jobId }) => {
    if (jobId !== undefined) beforeRun();
    if (shelf.length === 0) return undefined;
    return { key: 'delete_template', params: { template: shelf.join(' ') }, shown: shelf.join('\n') };
  },
  run: async () => {
    burned.push(...shelf.splice(0));
    return { burned };
  },
  examples: [{ title: 'All', input: {} }],
});

const FORMS: ClientCapabilities = { extensions: TASKS, elicitation: { form: {} } };
const callers: Record<string, Caller> = {};

beforeAll(async () => {
  app = await openTestApp();
  const { accountId, actor } = await newCaller(app, 'ana');
  callers['ana'] = { accountId, actor, scopes: SCOPES, via: 'api_key' };
  callers['colleague'] = { accountId, actor: 'colleague', scopes: SCOPES, via: 'api_key' };
  callers['reader'] = { accountId, actor: 'reader', scopes: ['templates:read'], via: 'api_key' };
  callers['ben'] = await newCaller(app, 'ben');
  const registry = registryOf([burnStories, ...PRODUCT.tools.filter(({ toolset }) => toolset !== 'meta')]);
  await app.jobs.start({ run: createRunJob({ app, registry, log: silentLog }) });
  server = await startServer({
    app,
    registry,
    authenticate: authenticateAs(callers),
  });
  ana = rawClient(server.url, 'ana', FORMS);
});
beforeEach(() => {
  [shelf, burned] = [['tea', 'milk'], []];
  beforeRun = () => {};
});
afterAll(async () => {
  await server.close();
  await app.close();
});

type Task = { status: string; inputRequests?: Record<string, unknown>; result?: unknown };

/** The task when it waits for an answer other than these, or has ended. */
async function settled(taskId: string, answeredKeys: readonly string[] = []): Promise<Task> {
  const { accountId = '' } = callers['ana'] ?? {};
  for await (const { status, questions } of app.jobs.follow(
    accountId,
    taskId,
    0,
    AbortSignal.timeout(30_000),
  )) {
    const isAsking = Object.keys(questions).some((key) => !answeredKeys.includes(key));
    if (status === 'waiting' && isAsking) break;
  }
  return (await ana('tasks/get', { taskId })).result as unknown as Task;
}

/** A task that asks, and the key of its question. */
async function asking() {
  const { result } = await ana('tools/call', { name: 'burn_stories', arguments: {} });
  expect(result).toMatchObject({ resultType: 'task', status: 'working' });
  const taskId = String(result?.['taskId']);
  const task = await settled(taskId);
  const [key = ''] = Object.keys(task.inputRequests ?? {});
  const answer = (said: object, by = ana) => by('tasks/update', { taskId, inputResponses: { [key]: said } });
  return { taskId, task, key, answer };
}

describe('a task that a person has to confirm', () => {
  test('asks with what it would change, by tasks/get, and changes nothing until then', async () => {
    const { task, key } = await asking();
    expect(task).toMatchObject({
      resultType: 'complete',
      status: 'input_required',
      inputRequests: {
        [key]: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: "Delete the template 'tea milk'? It can be restored for 30 days.\n\ntea\nmilk",
            requestedSchema: {
              type: 'object',
              properties: { confirm: { type: 'boolean', title: 'Yes, do this' } },
              required: ['confirm'],
            },
          },
        },
      },
    });
    expect(task).not.toHaveProperty('result');
    expect([shelf, burned]).toEqual([['tea', 'milk'], []]);
  });

  test('goes on when they agree, and the acknowledgment says no more than that', async () => {
    const { taskId, answer } = await asking();
    const { result } = await answer(YES);
    expect(Object.keys(result ?? {}).filter((name) => name !== '_meta')).toEqual(['resultType']);
    expect(await settled(taskId)).toMatchObject({
      status: 'completed',
      result: { content: [{ type: 'text', text: expect.stringContaining('tea') }] },
    });
    expect(burned).toEqual(['tea', 'milk']);
  });

  test.each([
    ['decline', NO],
    ['close the form', { action: 'cancel' }],
    ['send the form without a yes', { action: 'accept', content: { confirm: false } }],
    ['send an empty form', { action: 'accept', content: {} }],
  ])('ends without an effect when they %s', async (_what, said) => {
    const { taskId, answer } = await asking();
    await answer(said);
    expect(await settled(taskId)).toMatchObject({
      status: 'completed',
      result: { isError: true, _meta: { code: 'confirmation_required' } },
    });
    expect(burned).toEqual([]);
  });

  test('asks again when it would now change something else, under another key', async () => {
    const { taskId, key, answer } = await asking();
    shelf.push('bread');
    await answer(YES);
    const again = await settled(taskId, [key]);
    expect(JSON.stringify(again.inputRequests)).toContain('bread');
    expect([again.status, burned]).toEqual(['input_required', []]);
    const [other = ''] = Object.keys(again.inputRequests ?? {});
    expect(other).not.toBe(key);
    await ana('tasks/update', { taskId, inputResponses: { [other]: YES } });
    await settled(taskId, [key, other]);
    expect(burned).toEqual(['tea', 'milk', 'bread']);
  });

  test('is waiting for get_job too, and for an answer to what it asks: others are left aside', async () => {
    const { taskId, answer } = await asking();
    await ana('tasks/update', { taskId, inputResponses: { confirm: YES, ask_other: YES } });
    await ana('tasks/update', { taskId });
    const { result } = await ana('tools/call', { name: 'get_job', arguments: { job_id: taskId } });
    expect(JSON.stringify(result)).toContain('waiting');
    expect([(await settled(taskId)).status, burned]).toEqual(['input_required', []]);
    await answer(NO);
    await settled(taskId);
    await answer(YES);
    expect(burned).toEqual([]);
  });

  test('is canceled while it waits, and by itself after a day', async () => {
    const [canceled, forgotten] = [await asking(), await asking()];
    await ana('tasks/cancel', { taskId: canceled.taskId });
    await canceled.answer(YES);
    expect(await settled(canceled.taskId)).toMatchObject({ status: 'cancelled' });
    await app.database
      .sql`update jobs set created_at = now() - interval '25 hours' where id = ${forgotten.taskId}`;
    await app.jobs.sweep();
    expect(await settled(forgotten.taskId)).toMatchObject({ status: 'cancelled' });
    expect(burned).toEqual([]);
  });

  test('asks through run_tool as well', async () => {
    const args = { name: 'burn_stories', arguments: {} };
    const { result } = await ana('tools/call', { name: 'run_tool', arguments: args });
    expect(await settled(String(result?.['taskId']))).toMatchObject({ status: 'input_required' });
    expect(burned).toEqual([]);
  });
});

test('no one answers for the one who began the task', async () => {
  const { taskId, answer } = await asking();
  for (const key of ['ben', 'reader']) {
    const other = rawClient(server.url, key, FORMS);
    expect((await other('tasks/get', { taskId })).error).toMatchObject({ code: -32602 });
    expect((await answer(YES, other)).error).toMatchObject({ code: -32602 });
  }
  const colleague = rawClient(server.url, 'colleague', FORMS);
  expect((await colleague('tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
  expect((await answer(YES, colleague)).error?.message).toContain('Only the credential that started');
  expect([(await settled(taskId)).status, burned]).toEqual(['input_required', []]);
});

test('a client without forms is refused first, as ever: what its model confirms becomes a task that asks nothing', async () => {
  const plain = rawClient(server.url, 'ana', { extensions: TASKS });
  const call = (more: object = {}) => plain('tools/call', { name: 'burn_stories', arguments: { ...more } });
  const refused = (await call()).result;
  expect(refused).toMatchObject({ isError: true, _meta: { code: 'confirmation_required' } });
  const { result } = await call({ confirmation: confirmationOf(refused as never) });
  expect(result).toMatchObject({ resultType: 'task' });
  expect(await settled(String(result?.['taskId']))).toMatchObject({ status: 'completed' });
  expect(burned).toEqual(['tea', 'milk']);
});

test('what a model confirmed is all that its task changes: it is refused when that would by now be something else', async () => {
  const plain = rawClient(server.url, 'ana', { extensions: TASKS });
  const call = (more: object = {}) => plain('tools/call', { name: 'burn_stories', arguments: { ...more } });
  const confirmation = confirmationOf((await call()).result as never);
  beforeRun = () => void shelf.push('bread');
  const { result } = await call({ confirmation });
  expect(await settled(String(result?.['taskId']))).toMatchObject({
    status: 'completed',
    result: { isError: true, _meta: { code: 'confirmation_required' } },
  });
  expect(burned).toEqual([]);
});

test('a call that needs no confirmation is a task that asks nothing', async () => {
  shelf = [];
  const { result } = await ana('tools/call', { name: 'burn_stories', arguments: {} });
  expect(await settled(String(result?.['taskId']))).toMatchObject({ status: 'completed' });
});
