import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyEmbedded, openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { type Child, startChild } from './children.ts';

/** A killed process is taken for dead within this: 10 s without a heartbeat, then two looks 2 s apart. */
const TAKEN_OVER_MS = 15_000;

type Place = { readonly url: string | undefined; readonly dataDir: string; drop(): Promise<void> };

let place: Place;
let folder: string;
const children: Child[] = [];

beforeEach(async () => {
  place = testServer ? ofServer(await openTestDatabase()) : await copyEmbedded();
  folder = await mkdtemp(join(tmpdir(), 'stallhand-videos-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  await place.drop();
  await rm(folder, { recursive: true, force: true });
});

function ofServer(database: TestDatabase): Place {
  return { url: database.url, dataDir: database.dataDir, drop: database.close };
}

function start(way: 'hang' | 'do', video = ''): Child {
  const child = startChild('video-worker', place.dataDir, place.url ?? '', folder, way, video);
  children.push(child);
  return child;
}

/** On a server the next one is already there; the embedded database has room for one process at a time. */
async function killAndFollow(working: Child, way: 'hang' | 'do', video: string): Promise<Child> {
  if (!testServer) {
    await working.kill();
    return start(way, video);
  }
  const next = start(way, video);
  await working.kill();
  return next;
}

/** A worker that has made one chunk of two and is at the other. */
async function begin(): Promise<{ child: Child; video: string }> {
  const child = start('hang');
  const [, video = ''] = (await child.line((line) => line.startsWith('created'))).split(' ');
  await child.line((line) => line === 'painting 150');
  return { child, video };
}

test('kill -9 of a worker in the midst of a chunk: another makes that chunk, and no other', async () => {
  const { child, video } = await begin();
  const killed = performance.now();
  const next = await killAndFollow(child, 'do', video);
  await next.line((line) => line === 'painting 150');
  const takenOver = performance.now() - killed;
  const end = JSON.parse(await next.line((line) => line.startsWith('{')));
  expect(end).toEqual({
    ...{ status: 'completed', frames: { done: 300, total: 300 }, error: null },
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(next.lines.filter((line) => line.startsWith('painting'))).toEqual(['painting 150']);
  process.stdout.write(`taken over ${Math.round(takenOver)} ms after the kill\n`);
  expect(takenOver).toBeLessThan(TAKEN_OVER_MS);
  expect(await next.stop()).toBe(0);
});

test('a video whose chunk outlives no worker fails after three, and says so', async () => {
  const { child, video } = await begin();
  let next = await killAndFollow(child, 'hang', video);
  await next.line((line) => line === 'painting 150');
  next = await killAndFollow(next, 'hang', video);
  await next.line((line) => line === 'painting 150');
  next = await killAndFollow(next, 'do', video);
  const end = JSON.parse(await next.line((line) => line.startsWith('{')));
  expect(end).toEqual({ status: 'failed', frames: { done: 150, total: 300 }, error: 'video_failed.lost' });
});
