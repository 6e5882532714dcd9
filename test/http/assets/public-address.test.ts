import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../../support/server.ts';

let app: TestApp;
let server: TestServer;
let owner: Awaited<ReturnType<typeof newBareKey>>;
/** Of a picture of 400 × 200. */
let url: string;

beforeAll(async () => {
  app = await openTestApp();
  server = await startTestServer(app);
  owner = await newBareKey(app);
  url = (await put('big.png', await picture(400).toBuffer())).url;
});
afterAll(async () => {
  await server.close();
  await app.close();
});

const picture = (width: number) =>
  sharp({ create: { width, height: 200, channels: 3, background: '#c00' } }).png();
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Stores a file. @returns its hash and its address */
async function put(path: string, bytes: Uint8Array, key = owner.key) {
  const response = await fetch(`${server.url}/v1/assets/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}` },
    body: Buffer.from(bytes),
  });
  expect(response.status).toBe(201);
  const { sha256: hash, url: address } = (await response.json()) as Record<'sha256' | 'url', string>;
  return { hash, url: address.replace(/^https?:\/\/[^/]+/, server.url) };
}

test('another size and format is made, in steps, never larger, and kept', async () => {
  const sizeOf = async (query: string) => {
    const response = await fetch(`${url}?${query}`);
    const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    return [response.status, format, width, height];
  };
  expect(await sizeOf('w=190&format=webp')).toEqual([200, 'webp', 200, 100]);
  expect(await sizeOf('w=2000')).toEqual([200, 'png', 400, 200]);
  expect(await sizeOf('w=64&h=64&format=jpeg')).toEqual([200, 'jpeg', 64, 64]);
  expect(await sizeOf('w=64&h=64&fit=contain&utm_source=x')).toEqual([200, 'png', 64, 32]);
  expect(await sizeOf('format=avif')).toEqual([200, 'heif', 400, 200]);
  const rows = await app.database.sql`
    select spec from asset_variants where account_id = ${owner.accountId} order by spec`;
  expect(rows.map(({ spec }) => String(spec))).toEqual([
    ...['avif', 'w200-webp', 'w2048', 'w64-h64-contain', 'w64-h64-cover-jpeg'],
  ]);
});

test('a part is sent as one, and what is no size is refused', async () => {
  const part = await fetch(url, { headers: { range: 'bytes=0-3' } });
  expect([part.status, part.headers.get('content-range')?.slice(0, 10)]).toEqual([206, 'bytes 0-3/']);
  for (const query of ['w=0', 'w=abc', 'format=exe', 'fit=x&w=1'])
    expect([query, (await fetch(`${url}?${query}`)).status]).toEqual([query, 422]);
});

test('any name after the hash shows the same bytes as what they are, with the headers of the picture', async () => {
  const [, hash] = /\/a\/(\w+)\//.exec(url) ?? [];
  for (const name of ['page.html', 'script.js', '..%2F..%2Fbig.png', 'other.svg']) {
    const shown = await fetch(`${server.url}/a/${hash}/${name}`);
    expect([name, shown.status, sha256(Buffer.from(await shown.arrayBuffer()))]).toEqual([name, 200, hash]);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
    });
  }
});

test('the same content in two accounts is stored for each, and stays at its address until the last deletes it', async () => {
  const bytes = await picture(401).toBuffer();
  const other = await newBareKey(app);
  const ours = await put('shared.png', bytes);
  const theirs = await put('theirs.png', bytes, other.key);
  expect(theirs.hash).toBe(ours.hash);
  const statusOf = async () => (await fetch(ours.url)).status;
  await useRest(server.url, owner.key)('DELETE', '/v1/assets/shared.png');
  expect(await statusOf()).toBe(200);
  await useRest(server.url, other.key)('DELETE', '/v1/assets/theirs.png');
  expect(await statusOf()).toBe(404);
});

test('without the hash there is nothing, and nothing is listed', async () => {
  for (const path of ['/a', '/a/', `/a/${'0'.repeat(64)}/big.png`, '/a/x/big.png', '/a/%00/b'])
    expect([path, [401, 404].includes((await fetch(server.url + path)).status)]).toEqual([path, true]);
});
