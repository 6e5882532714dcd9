import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localizeFault, plainReader } from '../../src/language.ts';
import { restoreFault } from '../../src/platform/stored-fault.ts';
import type { Video } from '../../src/videos/video.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { ask, endOf, openAccount, openNode, stopNodes } from '../videos/render/workshop.ts';

let disk: string;
let mounted = false;
let database: TestDatabase;
const temporary = tmpdir();

beforeEach(async () => {
  disk = await mkdtemp(join(temporary, 'stallhand-disk-'));
  mounted = mount('-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk);
  database = await openTestDatabase();
  await openAccount(database);
});
afterEach(async () => {
  process.env['TMPDIR'] = temporary;
  await stopNodes();
  await database.close();
  if (mounted) execFileSync('umount', ['-l', disk]);
  await rm(disk, { recursive: true, force: true });
});

function mount(...args: string[]): boolean {
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Leaves no room at all. */
async function fillDisk(): Promise<void> {
  await writeFile(join(disk, 'filler'), Buffer.alloc(5 * 1024 * 1024)).catch(() => {});
}

const errorOf = ({ error }: Video) => error && localizeFault(restoreFault(error), plainReader('en')).detail;
const NO_DISK = 'only where a small disk can be made, as by root on Linux';

test('a full folder of files fails the video for that, and its pieces make room for others', async ({
  skip,
}) => {
  skip(!mounted, NO_DISK);
  const folder = join(disk, 'files');
  const node = await openNode(database, {
    folder,
    async assemble() {
      // The chunks are stored by now; the file has no room.
      await fillDisk();
      return { path: join(disk, 'filler') };
    },
  });
  const ended = await endOf(node.videos, (await ask(node.videos)).id);
  expect([ended.status, ended.attempt, errorOf(ended)]).toEqual([
    'failed',
    1,
    'The server is out of disk space for files. Contact the operator, then try again.',
  ]);
  await expect.poll(async () => (await filesIn(folder)).length).toBe(0);
});

test('a full temporary folder fails the video at once, and says that it is the disk', async ({ skip }) => {
  skip(!mounted, NO_DISK);
  const node = await openNode(database);
  process.env['TMPDIR'] = disk;
  await fillDisk();
  const ended = await endOf(node.videos, (await ask(node.videos)).id);
  expect([ended.status, ended.attempt, errorOf(ended)]).toEqual([
    'failed',
    1,
    'The server has no disk space left for rendering. Contact the operator, then retry with retry_video.',
  ]);
  await rm(join(disk, 'filler'));
  await node.videos.retry('acc_test', ended.id);
  expect(await endOf(node.videos, ended.id)).toMatchObject({ status: 'completed', attempt: 2 });
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
