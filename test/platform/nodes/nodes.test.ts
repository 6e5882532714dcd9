import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFolderBlobs } from '../../../src/platform/blobs/folder-blobs.ts';
import { createNodes, type Nodes } from '../../../src/platform/nodes/nodes.ts';
import { silentLog } from '../../support/app.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let folder: string;
let joined: Nodes[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'stallhand-nodes-'));
});
afterEach(async () => {
  for (const node of joined) await node.leave();
  joined = [];
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** A node of a PostgreSQL that several share; the statements are the same on both engines. */
function open(name: string, renewMs = 60_000): Nodes {
  const place = join(folder, name);
  const node = createNodes({
    database: { sql: database.sql, engine: 'postgres' },
    ...{ blobs: createFolderBlobs(place), place, log: silentLog, renewMs },
  });
  joined.push(node);
  return node;
}

const refusal = (name: string) => ({
  key: 'conflict.files_not_shared',
  params: { place: join(folder, name) },
});

test('nodes that share a folder join, even if they make its mark at once', async () => {
  await Promise.all(['shared', 'shared', 'shared'].map((name) => open(name).join()));
  expect(joined.map((node) => node.sharesFiles())).toEqual([true, true, true]);
});

test('a node with a folder of its own does not start beside another, and starts once that one left', async () => {
  const first = open('one');
  await first.join();
  await expect(open('two').join()).rejects.toMatchObject(refusal('two'));
  await first.leave();
  await open('two').join();
});

test('a node that was killed is in the way until it has missed three renewals', async () => {
  await open('three').join();
  await expect(open('four').join()).rejects.toMatchObject(refusal('four'));
  await database.sql`update nodes set seen_at = now() - interval '181 seconds'`;
  await open('four').join();
});

test('a node that an older one does not share with is not ready until that one has gone', async () => {
  const node = open('five', 50);
  await node.join();
  await database.sql`
    insert into nodes (id, host, files, started_at, seen_at)
    values ('node_0', 'elsewhere', 'other', '2020-01-01', now() + interval '1 hour')`;
  await expect.poll(() => node.sharesFiles()).toBe(false);
  await database.sql`delete from nodes where id = 'node_0'`;
  await expect.poll(() => node.sharesFiles()).toBe(true);
});

test('the only process of an embedded database looks for no others', async () => {
  const node = createNodes({
    database: { sql: database.sql, engine: 'embedded' },
    ...{ blobs: createFolderBlobs(join(folder, 'alone')), place: '', log: silentLog },
  });
  await node.join();
  expect(await database.sql`select from nodes`).toHaveLength(0);
});

test('a node knows where another one is reached, until that one leaves; its own address is no other', async () => {
  const [one, other] = [open('shared'), open('shared')];
  await Promise.all([one.join(), other.join()]);
  expect(await other.addressOf(one.id)).toBeUndefined();
  await one.listensAt('http://10.0.0.5:8080');
  expect(await other.addressOf(one.id)).toBe('http://10.0.0.5:8080');
  expect(await one.addressOf(one.id)).toBeUndefined();
  await one.leave();
  expect(await other.addressOf(one.id)).toBeUndefined();
});

test('a loopback address is only good on its own machine', async () => {
  const [one, other] = [open('shared'), open('shared')];
  await Promise.all([one.join(), other.join()]);
  await one.listensAt('http://127.0.0.1:8080');
  expect(await other.addressOf(one.id)).toBe('http://127.0.0.1:8080');
  await database.sql`update nodes set host = 'another' where id = ${one.id}`;
  expect(await other.addressOf(one.id)).toBeUndefined();
});
