import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../../../src/platform/database/embedded/folder-lock.ts';
import { ownIdentity } from '../../../../src/platform/database/embedded/process-identity.ts';
import { spawnZombie } from '../../../support/processes.ts';

let home: string;
let folder: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stallhand-lock-'));
  folder = join(home, 'database');
});
afterEach(() => rm(home, { recursive: true }));

const files = () => readdir(home);
const locked = (pid: number) => ({ key: 'unavailable.database_locked', params: { pid, folder } });

test('the first takes the folder, the second is told who has it, the third takes it after the first', async () => {
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toMatchObject(locked(process.pid));
  expect(await files()).toEqual(['database.lock.1']);
  await lock.release();
  const next = await lockFolder(folder);
  expect(await files()).toEqual(['database.lock.2']);
  await next.release();
});

test('a refusal leaves the first undisturbed', async () => {
  const lock = await lockFolder(folder);
  const before = await readFile(join(home, 'database.lock.1'), 'utf8');
  await expect(lockFolder(folder)).rejects.toThrow();
  expect(await readFile(join(home, 'database.lock.1'), 'utf8')).toBe(before);
  await lock.release();
});

test('of thirty at once exactly one gets the folder, of free ones as of stale ones', async () => {
  const mark = await ownIdentity();
  await writeFile(join(home, 'database.lock.7'), JSON.stringify({ ...mark, started: 1, held: true }));
  for (const last of [8, 9, 10]) {
    const tries = await Promise.allSettled(Array.from({ length: 30 }, () => lockFolder(folder)));
    const [won, ...others] = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(others).toEqual([]);
    expect(await files()).toEqual([`database.lock.${last}`]);
    await won?.release();
  }
});

test.each([
  ['no process has its number', { pid: 2 ** 30 }],
  ['its number belongs to a later process', { started: 1 }],
  ['it was released', { held: false }],
])('a lock is taken over when %s', async (_case, change) => {
  const note = { ...(await ownIdentity()), held: true, ...change };
  await writeFile(join(home, 'database.lock.3'), JSON.stringify(note));
  const lock = await lockFolder(folder);
  expect(await files()).toEqual(['database.lock.4']);
  await lock.release();
});

test.runIf(process.platform === 'linux')('a lock is taken over when its process is a zombie', async () => {
  const zombie = await spawnZombie();
  const stat = await readFile(`/proc/${zombie.pid}/stat`, 'latin1');
  const started = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  const note = { ...(await ownIdentity()), pid: zombie.pid, started, held: true };
  await writeFile(join(home, 'database.lock.1'), JSON.stringify(note));
  const lock = await lockFolder(folder);
  await lock.release();
  await zombie.end();
});

test.each(['', '{', '[]', '{"pid":1}'])(
  'a lock file of %j, as a power cut leaves, is taken over',
  async (text) => {
    await writeFile(join(home, 'database.lock.1'), text);
    const lock = await lockFolder(folder);
    expect(await files()).toEqual(['database.lock.2']);
    await lock.release();
  },
);

test('a process of another container counts as living while it touches its lock, and not after', async () => {
  const file = join(home, 'database.lock.1');
  await writeFile(file, JSON.stringify({ ...(await ownIdentity()), host: 'another', held: true }));
  const pace = { heartbeatMs: 50, watchMs: 500 };

  const beat = setInterval(() => utimes(file, new Date(), new Date()), 50);
  await expect(lockFolder(folder, pace)).rejects.toMatchObject({
    key: 'unavailable.database_locked_elsewhere',
    params: { pid: process.pid, folder },
  });
  clearInterval(beat);

  const lock = await lockFolder(folder, pace);
  expect(await files()).toEqual(['database.lock.2']);
  await lock.release();
});

test('the holder touches its lock', async () => {
  const lock = await lockFolder(folder, { heartbeatMs: 20, watchMs: 1 });
  const file = join(home, 'database.lock.1');
  const note = await readFile(file, 'utf8');
  await writeFile(file, note.replace(/"host":"[^"]*"/, '"host":"another"'));
  await expect(lockFolder(folder, { heartbeatMs: 20, watchMs: 5_000 })).rejects.toThrow();
  await lock.release();
});

test('two folders side by side are locked apart', async () => {
  const [one, two] = [await lockFolder(folder), await lockFolder(join(home, 'database2'))];
  expect((await files()).sort()).toEqual(['database.lock.1', 'database2.lock.1']);
  await Promise.all([one.release(), two.release()]);
});
