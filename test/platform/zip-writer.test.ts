import { expect, test } from 'vitest';
import { createZipWriter } from '../../src/platform/zip-writer.ts';
import { openArchive } from '../../src/templates/importing/archive/archive.ts';
import { readZip } from '../templates/importing/archives.ts';

async function write(files: Iterable<readonly [path: string, bytes: Buffer]>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const zip = createZipWriter(async (bytes) => pieces.push(bytes));
  for (const [path, bytes] of files) await zip.add(path, bytes);
  const size = await zip.end();
  const whole = Buffer.concat(pieces);
  expect(size).toBe(whole.length);
  return whole;
}

test('what was written is read again: an empty file, text, a name that is not ASCII, bytes that do not shrink', async () => {
  const files = new Map([
    ['empty.txt', Buffer.alloc(0)],
    ['text/hello.txt', Buffer.from('hello '.repeat(20))],
    ['Ünï 🎉.json', Buffer.from('{}')],
    ['random.bin', Buffer.from(Array.from({ length: 999 }, (_, index) => (index * 7919) % 251))],
  ]);
  expect(await readZip(await write(files))).toEqual(files);
});

test('files that shrink as a bomb would are stored as they are', async () => {
  const files = new Map([['zeros', Buffer.alloc(8 * 1024 * 1024)]]);
  const zip = await write([['stallhand.json', Buffer.from('{}')], ...files]);
  expect(zip.length).toBeGreaterThan(8 * 1024 * 1024);
  expect((await readZip(zip)).get('zeros')?.length).toBe(8 * 1024 * 1024);
});

test('an archive has more files than 16 bits can count', async () => {
  const names = Array.from({ length: 70_000 }, (_, index) => `files/${index}`);
  const bytes = Buffer.from('x');
  const zip = await write([
    ['stallhand.json', Buffer.from('{}')],
    ...names.map((name) => [name, bytes] as const),
  ]);
  const archive = await openArchive(zip);
  expect(archive.paths.slice(1)).toEqual(names);
  expect(await archive.read('files/69999')).toEqual(bytes);
});
