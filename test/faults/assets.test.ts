import { execFileSync } from 'node:child_process';
import { hash, randomFillSync } from 'node:crypto';
import { mkdir, readdir, readFile, utimes } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { silentLog } from '../support/app.ts';
import { toneWav } from '../videos/encode/sound/tones.ts';
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
    const more = async () => Math.round(((await peakOf(server)) - before) / MIB);
    const { status, body } = await sendLarge(server.url, '/v1/assets/clips/large.mp4');
    const asset = JSON.parse(body) as { bytes: number; url: string; type: string };
    expect([status, asset.type, asset.bytes]).toEqual([201, 'video', LARGE]);
    const receiving = await more();
    const response = await fetch(asset.url);
    let received = 0;
    for await (const chunk of response.body ?? []) received += chunk.length;
    expect(received).toBe(LARGE);
    const serving = await more();
    process.stdout.write(
      `extra MiB of memory for 200: ${receiving} to receive it, ${serving} to serve it too\n`,
    );
    expect(receiving).toBeLessThan(64);
    expect(serving).toBeLessThan(96);
  } finally {
    await server.kill();
    await remove();
  }
}, 300_000);

/** How much a server has confirmed when it is killed: assets, and parts of the song. */
const INSTANTS = Array.from({ length: 20 }, (_, round) => round);
const SONG_BYTES = 16 * MIB;
const PART_BYTES = 128 * 1024;
const TUS = { 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0' };

type Listed = { readonly path: string; readonly url: string; readonly sha256: string };

test('a server that is killed while it stores assets, at 20 instants, loses none, resumes an upload, and keeps no blob without its asset', async () => {
  const { path: folder, remove } = await newFolder();
  const names = Array.from({ length: 12 }, (_, index) => `p${index}.png`);
  const pictures = await Promise.all(
    INSTANTS.flatMap((_, round) => names.map((_name, nth) => drawn(round, nth))),
  );
  const song = newSong();
  const TMPDIR = join(folder, 'temporary');
  await mkdir(TMPDIR);
  /** What the server said it has stored, latest last. */
  const answered: Listed[] = [];
  /** The path of the link, and how much of the song the server said it has. */
  const upload = { link: '', received: 0 };
  for (const round of INSTANTS) {
    const server = await startProcess(folder, { TMPDIR });
    upload.link ||= await linkFor(server, song);
    const { promise: due, resolve: kill } = Promise.withResolvers<void>();
    let confirmed = 0;
    const confirm = () => {
      if (++confirmed >= round) kill();
    };
    const sending = names.map(async (name, nth) => {
      const body = Buffer.from(pictures[round * names.length + nth] ?? '');
      const sent = await fetch(`${server.url}/v1/assets/${round}/${name}`, { method: 'PUT', body });
      if (!sent.ok) return;
      answered.push((await sent.json()) as Listed);
      confirm();
    });
    const all = Promise.allSettled([...sending, sendParts(server, upload, song, confirm)]);
    // Once all is confirmed there is nothing more to wait for.
    await (round === 0 ? undefined : Promise.race([due, all]));
    await server.kill();
    await all;
  }
  const server = await startProcess(folder, { TMPDIR });
  try {
    process.stdout.write(`20 kills: ${answered.length} answered, the song resumed at ${upload.received}\n`);
    await sendParts(server, upload, song);
    const items = await allAssets(server);
    for (const { path, url } of items) expect([path, (await fetch(url)).status]).toEqual([path, 200]);
    const stored = new Map(items.map(({ path, sha256 }) => [path, sha256]));
    for (const { path, sha256 } of answered) expect([path, stored.get(path)]).toEqual([path, sha256]);
    expect(stored.get('song.wav')).toBe(hash('sha256', song));
    expect((await readdir(TMPDIR)).filter((name) => name.startsWith('stallhand-'))).toEqual([]);
    await server.kill();
    await sweepTwoDaysLater(folder);
    const blobs = (await filesIn(join(folder, 'files'))).map((name) => name.split('~').at(-1));
    expect(blobs.sort()).toEqual([...new Set(stored.values())].sort());
  } finally {
    await server.kill();
    await remove();
  }
}, 600_000);

/** Sound that no one plays. */
function newSong(): Buffer {
  const head = toneWav({ seconds: 0, peaks: [1] });
  const song = Buffer.concat([head, randomFillSync(Buffer.alloc(SONG_BYTES - head.length))]);
  song.writeUInt32LE(SONG_BYTES - 8, 4);
  song.writeUInt32LE(SONG_BYTES - head.length, 40);
  return song;
}

function drawn(round: number, nth: number): Promise<Buffer> {
  const background = { r: round * 10, g: nth * 20, b: 90 };
  return sharp({ create: { width: 60, height: 60, channels: 3, background } })
    .png()
    .toBuffer();
}

async function linkFor({ rest }: ServerProcess, song: Buffer): Promise<string> {
  const wanted = { path: 'song.wav', bytes: song.length, sha256: hash('sha256', song) };
  const { body } = await rest('POST', '/v1/assets/uploads', { body: wanted });
  return new URL(String(body['upload_url'])).pathname;
}

type Upload = { readonly link: string; received: number };

/** Sends the song part by part, from where the server says it is. */
async function sendParts(
  { url }: ServerProcess,
  upload: Upload,
  song: Buffer,
  confirm = () => {},
): Promise<void> {
  const { headers } = await fetch(url + upload.link, { method: 'HEAD' });
  const offset = Number(headers.get('upload-offset'));
  // Of what it had confirmed nothing is lost.
  expect(offset).toBeGreaterThanOrEqual(upload.received);
  for (upload.received = offset; upload.received < song.length; ) {
    const part = Buffer.from(song.subarray(upload.received, upload.received + PART_BYTES));
    const sent = await fetch(url + upload.link, {
      ...{ method: 'PATCH', body: part },
      headers: { ...TUS, 'upload-offset': String(upload.received) },
    });
    // Twenty parts a second are taken from one address.
    if (sent.status === 429) {
      await delay(Number(sent.headers.get('retry-after')) * 1000);
      continue;
    }
    expect(sent.status).toBe(204);
    upload.received += part.length;
    confirm();
  }
}

async function allAssets({ rest }: ServerProcess): Promise<Listed[]> {
  const items: Listed[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const { body } = await rest('GET', `/v1/assets?limit=100${cursor && `&cursor=${cursor}`}`);
    items.push(...(body['items'] as Listed[]));
    cursor = body['next_cursor'] ?? null;
  }
  return items;
}

/** What runs every hour, once all that was begun is older than a day. */
async function sweepTwoDaysLater(folder: string): Promise<void> {
  const then = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
  for (const name of await filesIn(join(folder, 'files')))
    await utimes(join(folder, 'files', name), then, then);
  const app = await createApp({ config: readConfig({ DATA_DIR: folder }), log: silentLog });
  await app.assets.sweep().finally(() => app.close());
}

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
