import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFiles, type Files, type OpenedFile, type StoredFile } from '../../src/files/files.ts';
import { createAccounts } from '../../src/identity/accounts/accounts.ts';
import type { Blobs } from '../../src/platform/blobs/blobs.ts';
import { createFolderBlobs } from '../../src/platform/blobs/folder-blobs.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const DAY = 24 * 60 * 60 * 1000;

let database: TestDatabase;
let folder: string;
let blobs: Blobs;
let files: Files;
let now = 0;
let owner: string;
let stranger: string;

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'stallhand-files-'));
  blobs = createFolderBlobs(folder);
});
beforeEach(async () => {
  await database.reset();
  now = Date.parse('2027-01-01T00:00:00Z');
  files = createFiles({ sql: database.sql, blobs, now: () => now });
  const accounts = createAccounts({ sql: database.sql, seedAccount: async () => {} });
  owner = (await accounts.create('owner')).id;
  stranger = (await accounts.create('stranger')).id;
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const png = (content = 'picture') => ({
  bytes: Buffer.from(content),
  mediaType: 'image/png',
  filename: 'Café.png',
});
const tokenOf = ({ path }: StoredFile) => path.split('token=')[1] ?? '';
const read = async (file: OpenedFile | undefined) => {
  const blob = await file?.read();
  return blob && text(blob.stream);
};
const storedBlobs = async () =>
  (await readdir(folder, { recursive: true })).filter((name) => name.includes('~')).length;

test('a saved file is told of whole, and its link holds 256 random bits', async () => {
  const { id, path, ...told } = await files.save(owner, png());
  expect(told).toEqual({
    filename: 'Café.png',
    media_type: 'image/png',
    bytes: 7,
    sha256: '2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97',
    expires_at: '2027-01-02T00:00:00.000Z',
  });
  expect(path).toMatch(new RegExp(`^/v1/files/${id}\\?token=[\\w-]{43}$`));
});

test('anyone with the token and its own account can read it; no one else can', async () => {
  const file = await files.save(owner, png());
  const { id } = file;
  expect(await read(await files.open({ id, token: tokenOf(file) }))).toBe('picture');
  expect(await read(await files.open({ id, accountId: owner }))).toBe('picture');
  const other = await files.save(owner, png('other'));
  expect(await files.open({ id })).toBeUndefined();
  expect(await files.open({ id, token: '' })).toBeUndefined();
  expect(await files.open({ id, token: tokenOf(other) })).toBeUndefined();
  expect(await files.open({ id, accountId: stranger })).toBeUndefined();
  expect(await files.open({ id: 'file_unknown', token: tokenOf(file), accountId: owner })).toBeUndefined();
});

test('the database holds the hash of a token, never the token', async () => {
  const file = await files.save(owner, png());
  const rows = await database.sql`select f::text as text from files f`;
  expect(rows).toHaveLength(1);
  expect(String(rows[0]?.['text'])).not.toContain(tokenOf(file));
});

test('a file lasts the days it was given, and then is gone for everyone', async () => {
  const { id } = await files.save(owner, png(), { days: 7 });
  now += 7 * DAY - 1;
  expect(await files.open({ id, accountId: owner })).toMatchObject({
    expires_at: '2027-01-08T00:00:00.000Z',
  });
  now += 1;
  expect(await files.open({ id, accountId: owner })).toBeUndefined();
});

test('files of one account with the same content share a blob, files of two accounts do not', async () => {
  const before = await storedBlobs();
  await files.save(owner, png('same'));
  await files.save(owner, { ...png('same'), filename: 'another name' });
  expect(await storedBlobs()).toBe(before + 1);
  await files.save(stranger, png('same'));
  expect(await storedBlobs()).toBe(before + 2);
});

test('the sweep removes what has expired, and a blob with the last of its files', async () => {
  await files.sweep();
  const before = await storedBlobs();
  await files.save(owner, png('short'));
  await files.save(owner, png('shared'));
  const { id } = await files.save(owner, png('shared'), { days: 2 });
  expect(await files.sweep()).toBe(0);
  now += DAY;
  expect(await files.sweep()).toBe(2);
  expect(await storedBlobs()).toBe(before + 1);
  expect(await read(await files.open({ id, accountId: owner }))).toBe('shared');
  now += DAY;
  expect([await files.sweep(), await files.sweep()]).toEqual([1, 0]);
  expect(await storedBlobs()).toBe(before);
});

test('content saved while it is swept is there afterwards', async () => {
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 3 }, () => files.save(owner, png('again'))));
    now += DAY;
    const [file] = await Promise.all([files.save(owner, png('again')), files.sweep(), files.sweep()]);
    expect(await read(await files.open({ id: file.id, accountId: owner }))).toBe('again');
  }
});

test('a save that cannot keep the bytes leaves no file', async () => {
  const full: Blobs = { ...blobs, put: async () => Promise.reject(new Error('disk full')) };
  const failing = createFiles({ sql: database.sql, blobs: full });
  await expect(failing.save(owner, png())).rejects.toThrow('disk full');
  expect(await database.sql`select id from files`).toEqual([]);
});

test('a sweep that cannot remove the bytes tries again the next time', async () => {
  await files.save(owner, png('stubborn'));
  now += DAY;
  const stuck: Blobs = { ...blobs, delete: async () => Promise.reject(new Error('in use')) };
  const failing = createFiles({ sql: database.sql, blobs: stuck, now: () => now });
  await expect(failing.sweep()).rejects.toThrow('in use');
  expect(await files.sweep()).toBe(1);
});

test('a file whose bytes are gone says so when it is read', async () => {
  const { id, sha256 } = await files.save(owner, png('lost'));
  await blobs.delete(`${owner}/${sha256}`);
  const file = await files.open({ id, accountId: owner });
  expect(await file?.read()).toBeUndefined();
});

test('the sweep removes blobs of accounts that are gone, and no younger or foreign ones', async () => {
  await files.save(owner, png('kept'));
  await files.save(stranger, png('orphan'));
  await blobs.put('others/blob', Buffer.from('not ours'));
  for (const name of await readdir(folder, { recursive: true }))
    if (name.includes('~')) await utimes(join(folder, name), new Date(0), new Date(0));
  await files.save(stranger, png('young orphan'));
  await database.sql`delete from accounts where id = ${stranger}`;
  await files.sweep();
  const kept = ['kept', 'not ours', 'young orphan'];
  expect(await storedBlobs()).toBe(kept.length);
  await blobs.delete('others/blob');
});
