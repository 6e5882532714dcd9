import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { newFolder, type ServerProcess, startProcess } from './server-process.ts';

const MIB = 1024 * 1024;
const LARGE = 200 * MIB;
/** Megabytes for objects and strings: far from enough to hold the file. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=192' };

/** An MP4 in name, with content that no one plays: 200 MiB of media data. */
function* largeClip(): Generator<Buffer> {
  const head = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');
  yield head;
  const box = Buffer.alloc(8);
  box.writeUInt32BE(LARGE - head.length, 0);
  box.write('mdat', 4, 'latin1');
  yield box;
  const block = Buffer.alloc(MIB, 'film');
  for (let left = LARGE - head.length - 8; left > 0; left -= MIB)
    yield block.subarray(0, Math.min(left, MIB));
}

async function sendLarge(url: string, path: string): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const sending = request(`${url}${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'video/mp4', 'content-length': LARGE },
  });
  sending.on('error', reject).on('response', async (response) => {
    const pieces = await Array.fromAsync(response.setEncoding('utf8'));
    resolve({ status: response.statusCode ?? 0, body: pieces.join('') });
  });
  await Promise.race([pipeline(Readable.from(largeClip()), sending), promise]);
  return promise;
}

/** The most memory the process has had so far, in bytes. */
async function peakOf({ pid }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.includes('~'));

test('a clip of 200 MiB is received, checked and served with little more memory than a small one', async () => {
  const { path: folder, remove } = await newFolder();
  const server = await startProcess(folder, SMALL_HEAP);
  try {
    const small = await fetch(`${server.url}/v1/assets/small.png`, {
      method: 'PUT',
      body: Buffer.from(
        await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c00' } })
          .png()
          .toBuffer(),
      ),
    });
    expect(small.status).toBe(201);
    const before = await peakOf(server);
    const { status, body } = await sendLarge(server.url, '/v1/assets/clips/large.mp4');
    const asset = JSON.parse(body) as { bytes: number; url: string; type: string };
    expect([status, asset.type, asset.bytes]).toEqual([201, 'video', LARGE]);
    const response = await fetch(asset.url);
    let received = 0;
    for await (const chunk of response.body ?? []) received += chunk.length;
    expect(received).toBe(LARGE);
    const more = (await peakOf(server)) - before;
    process.stdout.write(`extra memory for 200 MiB: ${Math.round(more / MIB)} MiB\n`);
    expect(more).toBeLessThan(96 * MIB);
  } finally {
    await server.kill();
    await remove();
  }
}, 300_000);

/** Milliseconds from the first request to the kill. */
const INSTANTS = Array.from({ length: 20 }, (_, round) => 10 + 45 * round);

test('a server that is killed while it stores assets, at 20 instants, has no asset without its bytes and loses none', async () => {
  const { path: folder, remove } = await newFolder();
  const names = Array.from({ length: 12 }, (_, index) => `p${index}.png`);
  /** What the server said it has stored, latest last. */
  const answered: { path: string; sha256: string }[] = [];
  for (const [round, wait] of INSTANTS.entries()) {
    const server = await startProcess(folder);
    const sending = names.map(async (name, index) => {
      const background = { r: round * 10, g: index * 20, b: 90 };
      const bytes = await sharp({ create: { width: 60, height: 60, channels: 3, background } })
        .png()
        .toBuffer();
      const url = `${server.url}/v1/assets/${round}/${name}`;
      const sent = await fetch(url, { method: 'PUT', body: Buffer.from(bytes) })
        .then(async (response) =>
          response.ok ? ((await response.json()) as (typeof answered)[0]) : undefined,
        )
        .catch(() => undefined);
      if (sent) answered.push(sent);
    });
    await new Promise((resolve) => setTimeout(resolve, wait));
    await server.kill();
    await Promise.all(sending);
  }
  const server = await startProcess(folder);
  try {
    const items: { url: string; sha256: string; path: string }[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const { body } = await server.rest('GET', `/v1/assets?limit=100${cursor && `&cursor=${cursor}`}`);
      items.push(...(body['items'] as typeof items));
      cursor = body['next_cursor'] ?? null;
    }
    for (const { path, url } of items) expect([path, (await fetch(url)).status]).toEqual([path, 200]);
    const stored = new Map(items.map(({ path, sha256 }) => [path, sha256]));
    for (const { path, sha256 } of answered) expect([path, stored.get(path)]).toEqual([path, sha256]);
    process.stdout.write(`20 kills: ${answered.length} answered, ${items.length} stored\n`);
    const blobs = (await filesIn(join(folder, 'files'))).filter((name) => name.includes('assets~'));
    expect(new Set(items.map(({ sha256 }) => sha256)).size).toBeLessThanOrEqual(blobs.length);
  } finally {
    await server.kill();
    await remove();
  }
}, 600_000);

/** A disk of 2 MB at the folder; false where this user may mount none. */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('an upload to a full disk is answered, and leaves nothing', async ({ skip }) => {
  const { path: folder, remove } = await newFolder();
  const disk = join(folder, 'disk');
  await mkdir(disk);
  if (!mountSmallDisk(disk)) skip('this user may mount no disk');
  const server = await startProcess(join(folder, 'data'), { BLOBS_DIR: disk });
  try {
    const font = Buffer.concat([Buffer.from('wOF2\0\x01\0\0', 'latin1'), Buffer.alloc(3 * MIB, 'a')]);
    const sent = await fetch(`${server.url}/v1/assets/large.woff2`, { method: 'PUT', body: font });
    const { code, detail } = (await sent.json()) as Record<string, string>;
    expect([sent.status, code, detail?.includes('out of disk space')]).toEqual([503, 'unavailable', true]);
    const { body } = await server.rest('GET', '/v1/assets');
    expect([(body as { items: unknown[] }).items, await filesIn(disk)]).toEqual([[], []]);
    const again = await fetch(`${server.url}/v1/assets/small.woff2`, {
      method: 'PUT',
      body: Buffer.from(font.subarray(0, MIB)),
    });
    expect(again.status).toBe(201);
  } finally {
    await server.kill();
    execFileSync('umount', ['-l', disk]);
    await remove();
  }
}, 300_000);
