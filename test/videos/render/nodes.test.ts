import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFolderBlobs } from '../../../src/platform/blobs/folder-blobs.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../../support/database.ts';
import { createFakeRenderer } from '../../support/fake-renderer.ts';
import {
  ACCOUNT,
  aborted,
  ask,
  endOf,
  openAccount,
  openNode,
  statesOf,
  stopNodes,
  until,
} from './workshop.ts';

// The embedded database is open in one process only.
describe.skipIf(!testServer)('two processes on one PostgreSQL', () => {
  let database: TestDatabase;
  let other: Database;
  let folder: string;
  const shared = () => ({ blobs: createFolderBlobs(folder) });

  beforeAll(async () => {
    database = await openTestDatabase();
    other = await openDatabase({ url: database.url, dataDir: database.dataDir });
    folder = await mkdtemp(join(tmpdir(), 'stallhand-videos-'));
    await openAccount(database);
  });
  afterEach(stopNodes);
  afterAll(async () => {
    await other.close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  test('what one takes in the other makes, and the first sees how it goes', async () => {
    const door = await openNode(database, { ...shared(), working: false });
    await openNode(other, shared());
    const { id } = await ask(door.videos, { title: 'seen' });
    const states = await statesOf(door.videos, id);
    expect(states.map(({ status }) => status)).toContain('rendering');
    expect(states.at(-1)).toMatchObject({ status: 'completed', frames: { done: 300, total: 300 } });
    const opened = await (await door.videos.openFile(ACCOUNT, id, 'file'))?.read();
    opened?.stream.destroy();
    expect(opened?.size).toBe(states.at(-1)?.sizeBytes);
  });

  test('they share the chunks of one video, and each chunk is made once', async () => {
    const [one, two] = [createFakeRenderer(), createFakeRenderer()];
    const own = await openNode(database, { ...shared(), stages: one, workers: 1 });
    await openNode(other, { ...shared(), stages: two, workers: 1 });
    const { id } = await ask(own.videos, { duration: 60, title: 'shared' });
    expect(await endOf(own.videos, id)).toMatchObject({ status: 'completed' });
    expect(one.asked.length).toBeGreaterThan(0);
    expect(two.asked.length).toBeGreaterThan(0);
    expect(new Set([...one.asked, ...two.asked]).size).toBe(12);
    expect(one.asked.length + two.asked.length).toBe(12);
  });

  test('what one cancels ends in the other', async () => {
    const stages = createFakeRenderer({ paint: ({ signal }) => aborted(signal) });
    const door = await openNode(database, { ...shared(), working: false });
    await openNode(other, { ...shared(), stages });
    const { id } = await ask(door.videos, { title: 'canceled' });
    await until(door.videos, id, ({ status }) => status === 'rendering');
    await expect.poll(() => stages.count.now).toBe(2);
    await door.videos.cancel(ACCOUNT, id);
    await expect.poll(() => stages.count.now, { interval: 10 }).toBe(0);
  });

  test('a process that stops gives its chunk to the other', async () => {
    const slow = createFakeRenderer({ paint: ({ signal }) => aborted(signal) });
    const limits = { gracePeriodMs: 50 };
    const leaving = await openNode(database, { ...shared(), stages: slow, workers: 1, limits });
    const { id } = await ask(leaving.videos, { title: 'handed over' });
    await until(leaving.videos, id, ({ status }) => status === 'rendering');
    await expect.poll(() => slow.count.now).toBe(1);
    const { videos } = await openNode(other, shared());
    await leaving.stop();
    expect(slow.count.now).toBe(0);
    expect(await endOf(videos, id)).toMatchObject({ status: 'completed', attempt: 1 });
  });
});
