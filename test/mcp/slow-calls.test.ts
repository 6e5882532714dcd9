import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import type { Caller } from '../../src/identity/caller.ts';
import { defineTool } from '../../tools/contract/define.ts';
import { jobTools } from '../../tools/jobs/index.ts';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../support/app.ts';
import { type Connection, HTTP_CLIENTS, partsOf, textOf } from './support/clients.ts';
import { type Running, registryOf, startServer } from './support/server.ts';

type Work = {
  readonly begun: PromiseWithResolvers<(done: number, total: number, message: string) => void>;
  readonly ended: PromiseWithResolvers<string>;
  readonly aborted: PromiseWithResolvers<void>;
};

let work: Work;
let runs: number;
let app: TestApp;
let caller: Caller;
let server: Running;
let model: Connection;

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
  mcp: { core: true, view: ({ text }) => `The story: ${text}` },
  input: z.object({ about: z.string() }),
  output: z.object({ text: z.string() }),
  run: async ({ about }, { signal, progress }) => {
    runs += 1;
    work.begun.resolve(progress);
    signal.addEventListener('abort', () => {
      work.aborted.resolve();
      work.ended.reject(signal.reason);
    });
    return { text: `${about}: ${await work.ended.promise}` };
  },
  examples: [{ title: 'A story', input: { about: 'tea' } }],
});

const [, connect] = HTTP_CLIENTS[0] ?? [];

beforeAll(async () => {
  app = await openTestApp();
  caller = await newBareCaller(app);
  const authenticate = async () => caller;
  const registry = registryOf([writeStory, ...jobTools]);
  // Whatever has not ended by then becomes a job: here everything that waits at all.
  server = await startServer({ app, registry, authenticate, slowCallMs: 1 });
  if (!connect) throw new Error('no client');
  // Tools of toolsets are listed with the schemas of their outputs, which this client checks.
  model = await connect(`${server.url}?toolsets=templates,jobs,meta`);
  await model.listTools();
});
beforeEach(() => {
  runs = 0;
  work = {
    begun: Promise.withResolvers(),
    ended: Promise.withResolvers(),
    aborted: Promise.withResolvers(),
  };
});
afterAll(async () => {
  await model.close();
  await server.close();
  await app.close();
});

const jobIdIn = (text: string) => /job_\w+/.exec(text)?.[0] ?? '';

/** Calls the tool, and is answered with a job. */
async function begin(): Promise<string> {
  const answer = await model.callTool('write_story', { about: 'tea' });
  expect(answer.isError).not.toBe(true);
  expect(textOf(answer)).toMatch(
    /continues as job job_\w+\. Wait for it with get_job {"job_id":"job_\w+","wait_seconds":25}/,
  );
  return jobIdIn(textOf(answer));
}

const finished = (id: string) => useTools(app, caller)('get_job', { id, wait_seconds: 25 });

describe('a call that takes long', () => {
  test('is answered with the id of the job, where the client asked for structured content', async () => {
    const [, connect] = HTTP_CLIENTS[0] ?? [];
    const program = await connect?.(`${server.url}?toolsets=templates&structured=true`);
    if (!program) throw new Error('there is no client');
    await program.listTools();
    const answer = await program.callTool('write_story', { about: 'tea' });
    expect(answer.structuredContent).toEqual({ job_id: jobIdIn(textOf(answer)) });
    work.ended.resolve('the end');
    await program.close();
  });

  test('is answered with a job, whose result is the answer of the tool', async () => {
    const id = await begin();
    expect(await useTools(app, caller)('get_job', { id })).toMatchObject({
      tool: 'write_story',
      status: 'running',
    });
    work.ended.resolve('the end');
    const answer = await model.callTool('get_job', { id, wait_seconds: 25 });
    expect(textOf(answer)).toContain('{"text":"tea: the end"}');
    expect(textOf(answer)).toContain('"status":"completed"');
    expect(runs).toBe(1);
  });

  test('is answered with a job through run_tool too', async () => {
    const answer = await model.callTool('run_tool', {
      name: 'write_story',
      arguments: { about: 'milk' },
    });
    const id = jobIdIn(textOf(answer));
    // The input of the tool that runs, as the job says.
    const [stored] = await app.database.sql`select tool, input from jobs where id = ${id}`;
    expect(stored).toMatchObject({ tool: 'write_story', input: { about: 'milk' } });
    work.ended.resolve('the end');
    expect(await finished(id)).toMatchObject({
      tool: 'write_story',
      status: 'completed',
      result: { text: 'milk: the end' },
    });
  });

  test('shows its progress in the job', async () => {
    const id = await begin();
    const progress = await work.begun.promise;
    const told = app.jobs.follow(caller.accountId, id, 0, new AbortController().signal);
    progress(2, 5, 'writing');
    for await (const job of told) {
      if (!job.progress) continue;
      expect(job.progress).toEqual({ done: 2, total: 5, message: 'writing' });
      break;
    }
    work.ended.resolve('');
    await finished(id);
  });

  test('fails as a job with the words it would have been answered with', async () => {
    const id = await begin();
    work.ended.reject(new Fault('not_found.template', { name: 'tea' }));
    expect(await finished(id)).toMatchObject({
      status: 'failed',
      error: { code: 'not_found', message: expect.stringContaining("Template 'tea' not found") },
    });
  });

  test('ends when its job is canceled', async () => {
    const id = await begin();
    await useTools(app, caller)('cancel_job', { id });
    await work.aborted.promise;
    expect(await finished(id)).toMatchObject({ status: 'canceled' });
  });

  test('is seen by no other account', async () => {
    const id = await begin();
    const stranger = useTools(app, await newBareCaller(app, 'stranger'));
    await expect(stranger('get_job', { id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(stranger('cancel_job', { id })).rejects.toMatchObject({ code: 'not_found' });
    work.ended.resolve('');
    await finished(id);
  });

  test('fails where its process is gone', async () => {
    const id = await begin();
    const { sql } = app.database;
    await sql`update jobs set started_at = now() - interval '3 hours' where id = ${id}`;
    await app.jobs.sweep();
    expect(await finished(id)).toMatchObject({ status: 'failed', error: { code: 'internal' } });
    // Too late: the job has its end.
    work.ended.resolve('');
    expect(await finished(id)).toMatchObject({ status: 'failed' });
  });
});

test('a call that ends in time is answered, and leaves no job', async () => {
  work.ended.resolve('at once');
  const quick = await startServer({
    app,
    registry: registryOf([writeStory]),
    authenticate: async () => caller,
    slowCallMs: 60_000,
  });
  const client = await connect?.(quick.url);
  const before = await app.jobs.list(caller, { limit: 50 });
  const told = await client?.callTool('write_story', { about: 'tea' });
  expect(partsOf(textOf(told ?? {})).data).toBe('The story: tea: at once');
  expect((await app.jobs.list(caller, { limit: 50 })).items.length).toBe(before.items.length);
  await client?.close();
  await quick.close();
});
