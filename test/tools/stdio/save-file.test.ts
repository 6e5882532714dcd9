import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saveFile } from '../../../tools/stdio/save-file.ts';

let place: string;
let folder: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'save-file-'));
  folder = join(place, 'saved');
});
afterEach(() => rm(place, { recursive: true }));

const save = (saveTo: string, text = 'bytes', filename = 'welcome.pdf') =>
  saveFile(folder, saveTo, { filename, stream: Readable.from([Buffer.from(text)]) });

test.each([
  ['a name', 'mail.pdf', 'mail.pdf'],
  ['a name without its extension', 'mail', 'mail.pdf'],
  ['a name with another extension', 'mail.sh', 'mail.sh.pdf'],
  ['a path', 'a/b/mail.pdf', 'a/b/mail.pdf'],
  ['a path that goes up and stays inside', 'a/../mail.pdf', 'mail.pdf'],
  ['a folder', 'a/b/', 'a/b/welcome.pdf'],
  ['the folder itself', '.', 'welcome.pdf'],
])('writes a file to %s', async (_what, saveTo, path) => {
  expect(await save(saveTo)).toBe(join(folder, path));
  expect(await readFile(join(folder, path), 'utf8')).toBe('bytes');
});

test('takes an absolute path in the folder', async () => {
  expect(await save(join(folder, 'mail.pdf'))).toBe(join(folder, 'mail.pdf'));
});

test('never replaces a file: the next gets a number', async () => {
  await save('mail.pdf', 'first');
  expect(await save('mail.pdf', 'second')).toBe(join(folder, 'mail-2.pdf'));
  expect(await readFile(join(folder, 'mail.pdf'), 'utf8')).toBe('first');
});

test.each([
  ['up and out', '../mail.pdf'],
  ['a neighbor whose name begins like the folder', '../saved-not/mail.pdf'],
  ['an absolute path elsewhere', join(tmpdir(), 'mail.pdf')],
  ['a hidden file', '.bashrc'],
  ['a hidden folder', '.git/hooks/mail.pdf'],
  ['a line break', 'a\nb.pdf'],
])('refuses %s, and writes nothing', async (_what, saveTo) => {
  await expect(save(saveTo)).rejects.toMatchObject({ key: 'validation_failed.save_to' });
  expect(await readdir(place, { recursive: true })).toEqual(['saved']);
});

test('refuses a folder that a link leads out of, and makes none there', async () => {
  await mkdir(folder);
  await mkdir(join(place, 'elsewhere'));
  await symlink(join(place, 'elsewhere'), join(folder, 'link'));
  for (const saveTo of ['link/mail.pdf', 'link/new/mail.pdf', 'link/']) {
    await expect(save(saveTo)).rejects.toMatchObject({ key: 'validation_failed.save_to' });
  }
  expect(await readdir(join(place, 'elsewhere'))).toEqual([]);
});

test('does not write through a link of the name', async () => {
  await mkdir(folder);
  await writeFile(join(place, 'mine.pdf'), 'mine');
  await symlink(join(place, 'mine.pdf'), join(folder, 'mail.pdf'));
  await symlink(join(place, 'nothing.pdf'), join(folder, 'dangling.pdf'));
  expect(await save('mail.pdf')).toBe(join(folder, 'mail-2.pdf'));
  expect(await save('dangling.pdf')).toBe(join(folder, 'dangling-2.pdf'));
  expect(await readFile(join(place, 'mine.pdf'), 'utf8')).toBe('mine');
  expect(await readdir(place)).toEqual(['mine.pdf', 'saved']);
});

test('leaves nothing of a file whose bytes break off', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('the disk is gone'));
    },
  });
  const saving = saveFile(folder, 'mail.pdf', { filename: 'mail.pdf', stream: broken });
  await expect(saving).rejects.toThrow('the disk is gone');
  expect(await readdir(folder)).toEqual([]);
});
