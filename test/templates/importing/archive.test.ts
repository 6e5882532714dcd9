import { expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { readZip, renamed, zipOf } from './archives.ts';

async function keyOf(archive: Buffer): Promise<string> {
  try {
    await readZip(archive);
    return 'read';
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.key;
  }
}

const small = { 'mails/welcome.html': '<p>Hello {{name}}</p>', 'mails/welcome.txt': 'Hello {{name}}' };

test('an archive is read file by file, compressed or not', async () => {
  for (const compress of [true, false]) {
    const files = await readZip(await zipOf(small, { compress }));
    expect(Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString()]))).toEqual(small);
  }
});

test.each([
  '../welcome.html',
  '/ails/welcome.html',
  'C:/ls/welcome.html',
  'mails/../elcome.html',
  'mails\\welcome.html',
  'mails/welcome\0html',
])('an entry named %j is refused', async (name) => {
  const from = 'mails/welcome.html'.slice(0, name.length).padEnd(name.length, 'x');
  const archive = renamed(await zipOf({ [from]: 'x' }), from, name);
  expect(await keyOf(archive)).toBe('validation_failed.archive_name');
});

test('links, encrypted entries and two entries of one name are refused', async () => {
  expect(await keyOf(await zipOf({ 'a.html': '/etc/passwd' }, { mode: 0o120777 }))).toBe(
    'validation_failed.archive_link',
  );
  expect(await keyOf(renamed(await zipOf({ 'a.html': '1', 'b.html': '2' }), 'b.html', 'a.html'))).toBe(
    'validation_failed.archive_duplicate',
  );
  const encrypted = await zipOf({ 'a.html': 'secret' });
  const entry = encrypted.indexOf('PK\x01\x02', 0, 'latin1');
  encrypted.writeUInt16LE(encrypted.readUInt16LE(entry + 8) | 1, entry + 8);
  expect(await keyOf(encrypted)).toBe('validation_failed.archive_encrypted');
});

test('an archive cut anywhere is refused, and nothing but a Fault comes of it', async () => {
  const whole = await zipOf(small);
  const keys = new Set<string>();
  for (let length = 0; length < whole.length; length += 1) keys.add(await keyOf(whole.subarray(0, length)));
  expect([...keys]).toEqual(['validation_failed.archive']);
});

test('a byte flipped anywhere is found or changes nothing that is read', async () => {
  const whole = await zipOf(small);
  for (let at = 0; at < whole.length; at += 1) {
    const flipped = Buffer.from(whole);
    flipped.writeUInt8((whole[at] ?? 0) ^ 0x55, at);
    const read = await readZip(flipped).catch((error: unknown) => error);
    if (read instanceof Fault) continue;
    const texts = [...(read as ReadonlyMap<string, Buffer>).values()].map(String);
    expect(texts).toEqual(Object.values(small));
  }
});

test('bytes of a file that differ from its checksum are told with the entry and its place', async () => {
  const archive = await zipOf({ 'a.html': '<p>one</p>' }, { compress: false });
  const damaged = renamed(archive, '<p>one</p>', '<p>two</p>');
  await expect(readZip(damaged)).rejects.toMatchObject({
    key: 'validation_failed.archive_checksum',
    params: { entry: 'a.html', offset: 0 },
  });
});

test('bombs are refused by what the archive says, before anything is inflated', async () => {
  const million = Buffer.alloc(1024 * 1024, 'a');
  expect(await keyOf(await zipOf({ 'a.html': Buffer.concat([million, million]) }))).toBe(
    'too_large.archive_entry',
  );
  const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}.html`, million]));
  expect(await keyOf(await zipOf(ten))).toBe('too_large.archive');
  const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`${index}.html`, '']));
  expect(await keyOf(await zipOf(many, { compress: false }))).toBe('too_large.archive_entries');
});

test('a bomb that understates its size is stopped when it inflates', async () => {
  const archive = await zipOf({ 'a.html': Buffer.alloc(1024 * 1024, 'a') });
  const entry = archive.indexOf('PK\x01\x02', 0, 'latin1');
  archive.writeUInt32LE(10, entry + 24);
  expect(await keyOf(archive)).toBe('validation_failed.archive');
});
