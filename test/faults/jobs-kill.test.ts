import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyEmbedded, openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { type Child, startChild } from './children.ts';

/** A killed process is taken for dead within this: 10 s without a heartbeat, then two looks 2 s apart. */
const TAKEN_OVER_MS = 15_000;

type Place = { readonly url: string | undefined; readonly dataDir: string; drop(): Promise<void> };

let place: Place;
const children: Child[] = [];

beforeEach(async () => {
  place = testServer ? ofServer(await openTestDatabase()) : await copyEmbedded();
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  await place.drop();
});

function ofServer(database: TestDatabase): Place {
  return { url: database.url, dataDir: database.dataDir, drop: database.close };
}

function start(way: 'hang' | 'do', job = ''): Child {
  const child = startChild('job-worker', place.dataDir, place.url ?? '', way, job);
  children.push(child);
  return child;
}

/** On a server the next one is already there; the embedded database has room for one process at a time. */
async function killAndFollow(working: Child, way: 'hang' | 'do', job: string): Promise<Child> {
  if (!testServer) {
    await working.kill();
    return start(way, job);
  }
  const next = start(way, job);
  await working.kill();
  return next;
}

async function begin(): Promise<{ child: Child; job: string }> {
  const child = start('hang');
  const [, job = ''] = (await child.line((line) => line.startsWith('created'))).split(' ');
  await child.line((line) => line === 'working 1');
  return { child, job };
}

test('kill -9 of a worker in the midst of a job: another takes it over, and its effect is there once', async () => {
  const { child, job } = await begin();
  const killed = performance.now();
  const next = await killAndFollow(child, 'do', job);
  await next.line((line) => line === 'working 2');
  const takenOver = performance.now() - killed;
  const end = JSON.parse(await next.line((line) => line.startsWith('{')));
  expect(end).toEqual({
    status: 'completed',
    attempt: 2,
    result: 'done at attempt 2',
    error: null,
    effects: 1,
  });
  process.stdout.write(`taken over ${Math.round(takenOver)} ms after the kill\n`);
  expect(takenOver).toBeLessThan(TAKEN_OVER_MS);
  expect(await next.stop()).toBe(0);
});

test('a job that outlives no worker is given up after three, and says so', async () => {
  const { child, job } = await begin();
  let next = await killAndFollow(child, 'hang', job);
  await next.line((line) => line === 'working 2');
  next = await killAndFollow(next, 'hang', job);
  await next.line((line) => line === 'working 3');
  next = await killAndFollow(next, 'do', job);
  const end = JSON.parse(await next.line((line) => line.startsWith('{')));
  expect(end).toEqual({ status: 'failed', attempt: 3, result: null, error: 'internal.job_lost', effects: 0 });
  expect(next.lines.filter((line) => line.startsWith('working'))).toEqual([]);
});
