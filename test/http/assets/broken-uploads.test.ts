import { createHash, randomFillSync } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../../support/server.ts';

let app: TestApp;
let server: TestServer;
let blobs: string;
let line: Awaited<ReturnType<typeof startLine>>;

beforeAll(async () => {
  blobs = await mkdtemp(join(tmpdir(), 'stallhand-blobs-'));
  app = await openTestApp({ BLOBS_DIR: blobs });
  server = await startTestServer(app);
  line = await startLine(new URL(server.url));
});
afterAll(async () => {
  await line.close();
  await server.close();
  await app.close();
  await rm(blobs, { recursive: true });
});

/** A way to the server that resets each connection after so many bytes of its client. */
async function startLine({ hostname, port }: URL) {
  let limit = Number.POSITIVE_INFINITY;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let passed = 0;
    client.on('data', (bytes: Buffer) => {
      const part = bytes.subarray(0, limit - passed);
      passed += part.length;
      const isCut = passed >= limit;
      upstream.write(part, () => {
        if (isCut) for (const socket of [upstream, client]) socket.resetAndDestroy();
      });
    });
    upstream.on('data', (bytes: Buffer) => client.write(bytes));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.end());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cutAfter: (bytes: number) => {
      limit = bytes;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

type Sent = { readonly status: number; readonly offset: number | undefined };

/** Sends a request over the line. Undefined when the connection broke before its answer. */
function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<Sent | undefined> {
  const { promise, resolve } = Promise.withResolvers<Sent | undefined>();
  const sending = request({
    ...{ host: '127.0.0.1', port: line.port, method, path, agent: false },
    headers: { host: new URL(server.url).host, 'content-length': body?.length ?? 0, ...headers },
  });
  sending.on('error', () => resolve(undefined)).on('close', () => resolve(undefined));
  sending.on('response', (response) => {
    const offset = response.headers['upload-offset'];
    const sent = { status: response.statusCode ?? 0, offset: offset ? Number(offset) : undefined };
    response
      .resume()
      .on('error', () => resolve(undefined))
      .on('end', () => resolve(sent));
  });
  sending.end(body);
  return promise;
}

/** A sound that no compression makes smaller. */
function song(bytes: number): Buffer {
  const wav = randomFillSync(Buffer.alloc(bytes));
  wav.write('RIFF', 0);
  wav.writeUInt32LE(bytes - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8_000, 24);
  wav.writeUInt32LE(8_000, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(bytes - 44, 40);
  return wav;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const filesOf = async (accountId: string) =>
  (await readdir(blobs, { recursive: true })).filter((file) => file.includes(`~${accountId}~`));

describe('over connections that break', () => {
  test('a file arrives whole, resumed after each of 20 cuts', async () => {
    const { accountId, key } = await newBareKey(app);
    const rest = useRest(server.url, key);
    const file = song(8_000_000);
    const wanted = { path: 'song.wav', bytes: file.length, sha256: sha256(file) };
    const { body } = await rest('POST', '/v1/assets/uploads', { body: wanted });
    const { pathname } = new URL(String(body['upload_url']));
    const type = { 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0' };
    const offsets: number[] = [];
    for (let cuts = 0; cuts < 20; cuts += 1) {
      const offset = (await send('HEAD', pathname, {}))?.offset ?? 0;
      offsets.push(offset);
      // Anywhere: within the head of the request, at the start of the body, and far into it.
      line.cutAfter([40, 400, 20_000, 300_000, 500_001][cuts % 5] ?? 0);
      const headers = { ...type, 'upload-offset': String(offset) };
      const sent = await send('PATCH', pathname, headers, file.subarray(offset));
      // 409 where the server has stored more than it had when it was asked.
      expect([undefined, 409]).toContain(sent?.status);
      line.cutAfter(Number.POSITIVE_INFINITY);
      // A little may be lost with its connection. Of a lot, what the server has read counts, once it hears of the cut.
      if (cuts % 5 > 2)
        await expect.poll(async () => (await send('HEAD', pathname, {}))?.offset).toBeGreaterThan(offset);
    }
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    const offset = (await send('HEAD', pathname, {}))?.offset ?? 0;
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThan(file.length);
    const headers = { ...type, 'upload-offset': String(offset) };
    expect(await send('PATCH', pathname, headers, file.subarray(offset))).toEqual({
      status: 204,
      offset: file.length,
    });
    const saved = await rest('GET', '/v1/assets/song.wav');
    expect(saved.body).toMatchObject({ type: 'audio', bytes: file.length, sha256: sha256(file) });
    // The parts are gone: there is the file, once.
    expect(await filesOf(accountId)).toEqual([
      expect.stringMatching(new RegExp(`/assets~${accountId}~${sha256(file)}$`)),
    ]);
  });

  test.each([
    ['PUT', '/v1/assets/cut.wav', {}],
    ['POST', '/v1/assets', { 'content-type': 'multipart/form-data; boundary=x' }],
  ])('%s %s that is cut stores nothing', async (method, path, headers) => {
    const { accountId, key } = await newBareKey(app);
    const rest = useRest(server.url, key);
    const file = song(1_000_000);
    const start = '--x\r\ncontent-disposition: form-data; name="file"; filename="cut.wav"\r\n\r\n';
    const body =
      method === 'PUT' ? file : Buffer.concat([Buffer.from(start), file, Buffer.from('\r\n--x--')]);
    for (const bytes of [500, 10_000, 300_000, 999_000]) {
      line.cutAfter(bytes);
      const sent = await send(method, path, { authorization: `Bearer ${key}`, ...headers }, body);
      expect(sent).toBeUndefined();
    }
    line.cutAfter(Number.POSITIVE_INFINITY);
    // A whole one is taken after them, so none of them holds a place once the server has seen that it ended.
    const whole = () => send(method, path, { authorization: `Bearer ${key}`, ...headers }, body);
    await expect.poll(async () => (await whole())?.status, { timeout: 10_000 }).toBe(201);
    expect((await rest('GET', '/v1/assets')).body['items']).toMatchObject([{ sha256: sha256(file) }]);
    expect(await filesOf(accountId)).toHaveLength(1);
  });
});

const PAYLOAD = '<script>alert(document.domain)</script>';
const plain = (width: number) => sharp({ create: { width, height: 40, channels: 3, background: '#c63' } });

describe('files that are two things at once', () => {
  test.each(['png', 'jpeg', 'gif', 'webp'] as const)(
    'a %s with a page and an archive after its end is stored as the picture alone',
    async (format) => {
      const { key } = await newBareKey(app);
      const picture = await plain(40).toFormat(format).toBuffer();
      const both = Buffer.concat([picture, Buffer.from(`PK\x03\x04${PAYLOAD}`)]);
      const { status, body } = await put(key, 'both.html', both, 'text/html');
      expect([status, body['media_type']]).toEqual([201, `image/${format}`]);
      const shown = await fetch(String(body['url']));
      const bytes = Buffer.from(await shown.arrayBuffer());
      expect(bytes.includes('script') || bytes.includes('PK\x03\x04')).toBe(false);
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        'content-type': `image/${format}`,
        'x-content-type-options': 'nosniff',
      });
      expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(picture).raw().toBuffer());
    },
  );

  test.each([
    ['a script that starts like a GIF', `GIF89a=1;alert(1)//${' '.repeat(200)}`],
    ['a page that starts like a JPEG', `\xff\xd8\xff\xe0${PAYLOAD}`],
    ['a page that starts like a PNG', `\x89PNG\r\n\x1a\n${PAYLOAD.repeat(9)}`],
    ['a page that starts like a WebP', `RIFF\x00\x01\x00\x00WEBPVP8 ${PAYLOAD.repeat(9)}`],
    ['an archive that names itself a picture', `PK\x03\x04${'\0'.repeat(60)}`],
    ['a page with a drawing in it', `<html><svg viewBox="0 0 9 9"></svg>${PAYLOAD}</html>`],
  ])('%s is refused', async (_name, text) => {
    const { accountId, key } = await newBareKey(app);
    const { status } = await put(key, 'picture.png', Buffer.from(text, 'latin1'), 'image/png');
    expect([413, 415, 422]).toContain(status);
    expect(await filesOf(accountId)).toEqual([]);
  });
});

test.each([
  ['GIF', 'gif', 65_535],
  ['JPEG', 'jpeg', 65_500],
  ['WebP', 'webp', 16_383],
] as const)(
  'a %s whose head says it is enormous is refused before it is decoded',
  async (_name, format, side) => {
    const { accountId, key } = await newBareKey(app);
    const bomb = await plain(40).toFormat(format).toBuffer();
    // Of the screen, and of the frame.
    const image = bomb.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0, 40, 0, 40, 0]));
    if (format === 'gif') for (const at of [6, 8, image + 5, image + 7]) bomb.writeUInt16LE(side, at);
    if (format === 'webp') for (const at of [26, 28]) bomb.writeUInt16LE(side, at);
    // After the length and precision of the frame header.
    const frame = bomb.indexOf(Buffer.from([0xff, 0xc0]));
    if (format === 'jpeg') for (const at of [5, 7]) bomb.writeUInt16BE(side, frame + at);
    const { status, body } = await put(key, `bomb.${format}`, bomb);
    expect([status, body['detail']]).toEqual([413, expect.stringContaining(`has ${side} × ${side} pixels`)]);
    expect(await filesOf(accountId)).toEqual([]);
  },
);

async function put(key: string, path: string, bytes: Buffer, type = 'application/octet-stream') {
  const response = await fetch(`${server.url}/v1/assets/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body: Buffer.from(bytes),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
