import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Blobs, ByteRange } from '../../../src/platform/blobs/blobs.ts';

/** What every adapter of the port must do. `open` gives an empty one; `firstByte`: its server knows the range 0-0. */
export function testBlobs(open: () => Promise<Blobs>, { firstByte = true } = {}): void {
  const read = async (blobs: Blobs, key: string, range?: ByteRange) => {
    const blob = await blobs.open(key, range);
    return blob && { size: blob.size, text: (await buffer(blob.stream)).toString() };
  };

  test('what was put is read back, whole or in part', async () => {
    const blobs = await open();
    await blobs.put('acc_1/abc', Buffer.from('0123456789'));
    expect(await read(blobs, 'acc_1/abc')).toEqual({ size: 10, text: '0123456789' });
    if (firstByte)
      expect(await read(blobs, 'acc_1/abc', { start: 0, end: 0 })).toEqual({ size: 10, text: '0' });
    expect(await read(blobs, 'acc_1/abc', { start: 0, end: 1 })).toEqual({ size: 10, text: '01' });
    expect(await read(blobs, 'acc_1/abc', { start: 3, end: 5 })).toEqual({ size: 10, text: '345' });
    expect(await read(blobs, 'acc_1/abc', { start: 9, end: 9 })).toEqual({ size: 10, text: '9' });
  });

  test('nothing is a blob too', async () => {
    const blobs = await open();
    await blobs.put('empty', new Uint8Array());
    expect(await read(blobs, 'empty')).toEqual({ size: 0, text: '' });
  });

  test('bytes come back as they are', async () => {
    const blobs = await open();
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256));
    await blobs.put('bytes', bytes);
    const blob = await blobs.open('bytes');
    expect(blob && bytes.equals(await buffer(blob.stream))).toBe(true);
  });

  test('a file is put like its bytes, and stays', async () => {
    const blobs = await open();
    const folder = await mkdtemp(join(tmpdir(), 'stallhand-put-file-'));
    const path = join(folder, 'video.mp4');
    await writeFile(path, '0123456789');
    await blobs.put('acc_1/abc', Buffer.from('old'));
    await blobs.putFile('acc_1/abc', path);
    expect(await read(blobs, 'acc_1/abc')).toEqual({ size: 10, text: '0123456789' });
    await writeFile(path, 'written again');
    expect(await read(blobs, 'acc_1/abc', { start: 3, end: 5 })).toEqual({ size: 10, text: '345' });
    await rm(folder, { recursive: true });
    expect(await read(blobs, 'acc_1/abc')).toEqual({ size: 10, text: '0123456789' });
  });

  test('a file that is not there is not put, and what was there stays', async () => {
    const blobs = await open();
    await blobs.put('key', Buffer.from('old'));
    await expect(blobs.putFile('key', join(tmpdir(), 'stallhand-never'))).rejects.toThrow('ENOENT');
    expect(await read(blobs, 'key')).toEqual({ size: 3, text: 'old' });
  });

  test('there is nothing under a key that was never put, or was deleted; deleting twice is no error', async () => {
    const blobs = await open();
    expect(await read(blobs, 'never')).toBeUndefined();
    await blobs.delete('never');
    await blobs.put('a/b', Buffer.from('x'));
    await blobs.delete('a/b');
    await blobs.delete('a/b');
    expect(await read(blobs, 'a/b')).toBeUndefined();
  });

  test('all keys are listed, and nothing is changed', async () => {
    const blobs = await open();
    await blobs.put('acc_1/abc', Buffer.from('x'));
    await blobs.put('mark', Buffer.from('y'));
    expect((await Array.fromAsync(blobs.list())).sort()).toEqual(['acc_1/abc', 'mark']);
    expect(await read(blobs, 'mark')).toEqual({ size: 1, text: 'y' });
  });

  test('a second put takes the place of the first', async () => {
    const blobs = await open();
    await blobs.put('key', Buffer.from('first'));
    await blobs.put('key', Buffer.from('2nd'));
    expect(await read(blobs, 'key')).toEqual({ size: 3, text: '2nd' });
  });

  test('a reader keeps what it opened', async () => {
    const blobs = await open();
    await blobs.put('key', Buffer.from('old'));
    const opened = await blobs.open('key');
    await blobs.put('key', Buffer.from('new one'));
    await blobs.delete('key');
    expect(opened && (await buffer(opened.stream)).toString()).toBe('old');
  });

  test('of many who put at once one has the last word, and no reader sees a part', async () => {
    const blobs = await open();
    const texts = Array.from({ length: 20 }, (_, i) => String.fromCharCode(97 + i).repeat(50_000));
    await blobs.put('key', Buffer.from('a'.repeat(50_000)));
    const seen = await Promise.all(
      texts.flatMap((text) => [blobs.put('key', Buffer.from(text)), read(blobs, 'key')]),
    );
    for (const one of [...seen, await read(blobs, 'key')])
      if (one) expect([one.size, texts.includes(one.text)]).toEqual([50_000, true]);
  });

  test('keys that differ are different blobs', async () => {
    const blobs = await open();
    const keys = ['a/b', 'a_b', 'a-b', 'a.b', 'a/b/c', 'a/b_c'];
    await Promise.all(keys.map((key) => blobs.put(key, Buffer.from(key))));
    for (const key of keys) expect(await read(blobs, key)).toMatchObject({ text: key });
  });

  test('keys are told of what was put before a time', async () => {
    const blobs = await open();
    expect(await Array.fromAsync(blobs.keys(new Date()))).toEqual([]);
    await Promise.all(['acc_1/a', 'b'].map((key) => blobs.put(key, Buffer.from('x'))));
    const later = new Date(Date.now() + 60_000);
    expect((await Array.fromAsync(blobs.keys(later))).sort()).toEqual(['acc_1/a', 'b']);
    expect(await Array.fromAsync(blobs.keys(new Date(0)))).toEqual([]);
  });

  test.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/.',
    '.a',
    'A',
    'a b',
    'a\\b',
    'a\0',
    'a~b',
    'ä',
    'a'.repeat(201),
  ])('%j is no key', async (key) => {
    const blobs = await open();
    await expect(async () => blobs.put(key, Buffer.from('x'))).rejects.toThrow('not a blob key');
    await expect(async () => blobs.putFile(key, '/dev/null')).rejects.toThrow('not a blob key');
    await expect(async () => blobs.open(key)).rejects.toThrow('not a blob key');
    await expect(async () => blobs.delete(key)).rejects.toThrow('not a blob key');
  });
}
