import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../../src/identity/caller.ts';
import { newBareCaller, useTools } from '../../support/app.ts';
import { type ModelApp, openModelApp } from '../../support/model-app.ts';
import { givePlan } from '../../support/plans.ts';
import { BREAD, hooksAnswer } from '../hooks-answer.ts';

let hooks: ModelApp;
let caller: Caller;

beforeAll(async () => {
  hooks = await openModelApp();
});
beforeEach(async () => {
  caller = await newBareCaller(hooks.app);
  await givePlan(hooks.app, caller.accountId, 'pro');
});
afterAll(() => hooks.close());

const [one, two, three, four, five] = BREAD;
const options = { count: 3, language: 'en' };
const run = (topics: readonly string[], more: Parameters<typeof useTools>[2] = {}) =>
  useTools(hooks.app, caller, more)('generate_hooks_batch', { topics, ...options });
const used = async () => (await hooks.app.quota.usage(caller.accountId)).hooks_used;

test('every topic gets its hooks, and one that fails leaves the others be', async () => {
  hooks.server.script(hooksAnswer(one, two, three), { refusal: 'No.' });
  // With one topic after the other in the script, only the number of each outcome is certain.
  const steps: string[] = [];
  const answer = await run(['bread', 'flour'], {
    progress: (done, total) => steps.push(`${done}/${total}`),
  });
  expect(answer).toMatchObject({ generated: 1, failed: 1, quota: { hooks_used: 3 } });
  const items = answer['items'] as { topic: string; generation?: object; error?: object }[];
  expect(items.map(({ topic }) => topic)).toEqual(['bread', 'flour']);
  expect(items.filter(({ generation }) => generation)).toMatchObject([
    { generation: { hooks: [one[0], two[0], three[0]], generation_id: expect.stringMatching(/^gen_/) } },
  ]);
  expect(items.filter(({ error }) => error)).toMatchObject([{ error: { code: 'topic_refused' } }]);
  expect(steps).toEqual(['0/2', '1/2', '2/2']);
});

test('the next attempt of a job makes and charges only what the one before had not', async () => {
  hooks.server.script(hooksAnswer(one, two, three));
  await run(['bread'], { jobId: 'job_1' });
  const asked = hooks.server.requests.length;
  hooks.server.script(hooksAnswer(four, five));
  hooks.server.script(hooksAnswer());
  const again = await run(['bread', 'flour'], { jobId: 'job_1' });
  expect(again).toMatchObject({
    items: [
      { generation: { hooks: [one[0], two[0], three[0]] } },
      { generation: { hooks: [four[0], five[0]] } },
    ],
    quota: { hooks_used: 5 },
  });
  expect(hooks.server.requests).toHaveLength(asked + 2);
  const { sql } = hooks.app.database;
  const rows = await sql`select topic from generations where account_id = ${caller.accountId} order by seq`;
  expect(rows.map(({ topic }) => topic)).toEqual(['bread', 'flour']);
});

test('it ends when its caller does, with nothing held', async () => {
  hooks.server.script({ silence: true }, { silence: true });
  const leaving = new AbortController();
  const asked = hooks.server.requests.length;
  const answer = run(['bread', 'flour'], { signal: leaving.signal });
  await hooks.server.arrived(asked + 1);
  leaving.abort();
  await expect(answer).rejects.toThrow();
  expect(await used()).toBe(0);
});

test('it is part of the Pro plan, and takes 50 topics at most', async () => {
  const free = useTools(hooks.app, await newBareCaller(hooks.app));
  await expect(free('generate_hooks_batch', { topics: ['bread'] })).rejects.toMatchObject({
    code: 'plan_required',
  });
  await expect(run(Array.from({ length: 51 }, (_, i) => `topic ${i}`))).rejects.toMatchObject({
    code: 'validation_failed',
  });
  await expect(run([' '])).rejects.toMatchObject({ code: 'validation_failed' });
});

// Last, since the second attempt may find what the first made, and leave its answer in the script.
test('two attempts at once charge once', async () => {
  hooks.server.script(hooksAnswer(one, two, three), hooksAnswer(one, two, three));
  const both = await Promise.all([run(['bread'], { jobId: 'job_2' }), run(['bread'], { jobId: 'job_2' })]);
  const ids = both.map(({ items }) => (items as { generation: object }[])[0]?.generation);
  expect(ids[0]).toEqual(ids[1]);
  expect(await used()).toBe(3);
});
