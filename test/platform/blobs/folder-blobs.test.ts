import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderBlobs } from '../../../src/platform/blobs/folder-blobs.ts';
import { testBlobs } from './blobs-contract.ts';

let folder: string;
let opened = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-blobs-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the contract', () => testBlobs(async () => createFolderBlobs(join(folder, String(opened++)))));

test('after a put nothing but the blob is there, and no other user can read it', async () => {
  const place = join(folder, 'own');
  await createFolderBlobs(place).put('acc_1/abc', Buffer.from('x'));
  const names = await readdir(place, { recursive: true });
  expect(names).toHaveLength(2);
  expect(names.at(-1)).toMatch(/^[0-9a-f]{2}[/\\]acc_1~abc$/);
  expect((await stat(join(place, names.at(-1) ?? ''))).mode & 0o777).toBe(0o600);
});

test('no other user can read a stored file, even if the original was readable by all', async () => {
  const place = join(folder, 'own-file');
  const path = join(folder, 'public.mp4');
  await writeFile(path, 'x', { mode: 0o644 });
  await createFolderBlobs(place).putFile('acc_1/abc', path);
  const names = await readdir(place, { recursive: true });
  expect(names).toHaveLength(2);
  expect((await stat(join(place, names.at(-1) ?? ''))).mode & 0o777).toBe(0o600);
});

test('a put that fails leaves nothing behind', async () => {
  const place = join(folder, 'failing');
  const blobs = createFolderBlobs(place);
  // What stands at the place of the blob cannot be replaced by it.
  await blobs.put('key', Buffer.from('x'));
  const [path = ''] = (await readdir(place, { recursive: true })).filter((name) => name.endsWith('key'));
  await blobs.delete('key');
  await mkdir(join(place, path));
  await expect(blobs.put('key', Buffer.from('x'))).rejects.toThrow();
  await expect(blobs.putFile('key', join(folder, 'public.mp4'))).rejects.toThrow();
  expect(await readdir(place, { recursive: true })).toHaveLength(2);
});

test.skipIf(process.platform === 'win32')(
  'when no more files can be opened, it is a fault that passes',
  () => {
    const script = join(import.meta.dirname, 'few-files.ts');
    const command = 'ulimit -n 100 && exec "$0" "$1" "$2"';
    const said = execFileSync('sh', ['-c', command, process.execPath, script, join(folder, 'few')]);
    expect(JSON.parse(String(said))).toEqual(['unavailable.files_busy', 'unavailable.files_busy']);
  },
);

test('what a put cut off by a crash has left goes when the keys are told, but not while it may still be written', async () => {
  const place = join(folder, 'cut-off');
  const blobs = createFolderBlobs(place);
  await blobs.put('key', Buffer.from('x'));
  const [path = ''] = (await readdir(place, { recursive: true })).filter((name) => name.endsWith('key'));
  await writeFile(join(place, `${path}~~old`), 'half');
  await utimes(join(place, `${path}~~old`), new Date(0), new Date(0));
  await writeFile(join(place, `${path}~~new`), 'half');
  expect(await Array.fromAsync(blobs.keys(new Date(1000)))).toEqual([]);
  const left = (await readdir(place, { recursive: true })).filter((name) => name.includes('key'));
  expect(left.sort()).toEqual([path, `${path}~~new`]);
});
