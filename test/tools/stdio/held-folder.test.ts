import { mkdir, mkdtemp, readdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdFolder, MovedFolder } from '../../../tools/stdio/held-folder.ts';

let place: string;
let root: string;
beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'held-folder-')));
  root = join(place, 'saved');
  await mkdir(join(root, 'mails'), { recursive: true });
  await mkdir(join(place, 'elsewhere'));
});
afterEach(() => rm(place, { recursive: true }));

/** What another program could do between our look at a folder and our use of it. */
async function swapForLink(path: string): Promise<void> {
  await rename(path, join(place, 'moved'));
  await symlink(join(place, 'elsewhere'), path);
}

test('a new file is in the folder, and a name that is taken makes none', async () => {
  const folder = await holdFolder(root, join(root, 'mails'));
  const file = await folder.create('a.pdf');
  expect([folder.path, await folder.create('a.pdf')]).toEqual([join(root, 'mails'), undefined]);
  expect(await readdir(folder.path)).toEqual(['a.pdf']);
  await file?.close();
  await folder.close();
});

test('a folder that becomes a link after it was checked gets no file, and neither does what the link leads to', async () => {
  const folder = await holdFolder(root, join(root, 'mails'));
  await swapForLink(join(root, 'mails'));
  await expect(folder.create('a.pdf')).rejects.toThrow(MovedFolder);
  expect(await readdir(join(place, 'elsewhere'))).toEqual([]);
  expect(await readdir(join(place, 'moved'))).toEqual([]);
  await folder.close();
});

test.runIf(process.platform === 'linux')(
  'a folder that becomes a link after it was checked makes no folder elsewhere',
  async () => {
    const folder = await holdFolder(root, join(root, 'mails'));
    await swapForLink(join(root, 'mails'));
    await expect(folder.enter('new')).rejects.toThrow(MovedFolder);
    expect(await readdir(join(place, 'elsewhere'))).toEqual([]);
    await folder.close();
  },
);

test('a link in the folder leads to no folder outside', async () => {
  await symlink(join(place, 'elsewhere'), join(root, 'out'));
  const folder = await holdFolder(root, root);
  await expect(folder.enter('out')).rejects.toThrow(MovedFolder);
  await folder.close();
});
