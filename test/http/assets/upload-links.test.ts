import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTemporaryFile } from '../../../src/platform/temporary-file.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../../support/server.ts';

let app: TestApp;
let server: TestServer;
let blobs: string;

beforeAll(async () => {
  blobs = await mkdtemp(join(tmpdir(), 'stallhand-blobs-'));
  app = await openTestApp({ BLOBS_DIR: blobs });
  server = await startTestServer(app);
});
afterAll(async () => {
  await server.close();
  await app.close();
  await rm(blobs, { recursive: true });
});

const GIGABYTE = 1024 ** 3;
const picture = async (side: number) =>
  Buffer.from(
    await sharp({ create: { width: side, height: side, channels: 3, background: '#c00' } })
      .png()
      .toBuffer(),
  );

/** An account whose library has so many bytes left of its gigabyte. */
async function accountWith({ left }: { left: number }) {
  const owner = await newBareKey(app);
  const rest = useRest(server.url, owner.key);
  await app.database.sql`
    insert into asset_contents (account_id, sha256, type, media_type, bytes)
    values (${owner.accountId}, ${'0'.repeat(64)}, 'video', 'video/mp4', ${GIGABYTE - left})`;
  const create = (path: string, bytes: number) =>
    rest('POST', '/v1/assets/uploads', { body: { path, bytes } });
  const link = async (path: string, bytes: number) => String((await create(path, bytes)).body['upload_url']);
  const used = async () => Number((await rest('GET', '/v1/assets')).body['used_bytes']) - GIGABYTE + left;
  return { ...owner, rest, create, link, used };
}

async function send(url: string, offset: number, part: Buffer) {
  const response = await fetch(url, {
    method: 'PATCH',
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    body: Buffer.from(part),
  });
  const text = await response.text();
  return { status: response.status, code: text && (JSON.parse(text) as { code: string }).code };
}

/** How many files hold what links of the account have received. */
async function partsOf(accountId: string): Promise<number> {
  const files = await readdir(blobs, { recursive: true });
  return files.filter((file) => file.includes(`asset-uploads~${accountId}~`)).length;
}

describe('what a link has received counts like a stored file', () => {
  test('a second link takes nothing that the first one has left no space for', async () => {
    const { link, used } = await accountWith({ left: 100_000 });
    const first = await link('one.png', 90_000);
    const second = await link('two.png', 90_000);
    expect(await send(first, 0, Buffer.alloc(80_000))).toEqual({ status: 204, code: '' });
    expect(await used()).toBe(80_000);
    expect(await send(second, 0, Buffer.alloc(20_001))).toEqual({ status: 403, code: 'plan_limit' });
    expect(await send(second, 0, Buffer.alloc(20_000))).toEqual({ status: 204, code: '' });
  });

  test('a part counts as at least 4 kB, so thousands of tiny ones do not come free', async () => {
    const { link, used } = await accountWith({ left: 10_000 });
    const url = await link('tiny.png', 5_000);
    expect(await send(url, 0, Buffer.alloc(1))).toEqual({ status: 204, code: '' });
    expect(await send(url, 1, Buffer.alloc(1))).toEqual({ status: 204, code: '' });
    expect(await used()).toBe(2 * 4096);
    expect(await send(url, 2, Buffer.alloc(1))).toEqual({ status: 403, code: 'plan_limit' });
  });

  test('the last part makes the asset, whose bytes are not counted twice', async () => {
    const bytes = await picture(400);
    const { link, used } = await accountWith({ left: Math.max(bytes.length, 4096) });
    const url = await link('fits.png', bytes.length);
    expect((await fetch(url, { method: 'PUT', body: bytes })).status).toBe(201);
    expect(await used()).toBe(Math.max(bytes.length, 4096));
  });

  test('a link for a file that does not fit is not made', async () => {
    const { create } = await accountWith({ left: 10_000 });
    expect((await create('large.png', 10_001)).body).toMatchObject({ status: 403, code: 'plan_limit' });
  });
});

describe('a link ends with the credential that made it', () => {
  test('once its key is revoked, a link takes and shows nothing, and what it had received is removed', async () => {
    const { accountId, key, link } = await accountWith({ left: 100_000 });
    const bytes = await picture(50);
    const url = await link('late.png', bytes.length);
    expect(await send(url, 0, bytes.subarray(0, 60))).toEqual({ status: 204, code: '' });
    expect(await partsOf(accountId)).toBe(1);
    await app.keys.revoke(accountId, await idOf(key));
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404);
    expect(await send(url, 60, bytes.subarray(60))).toEqual({ status: 404, code: 'not_found' });
    expect(await partsOf(accountId)).toBe(0);
  });

  test('a key that is revoked while its file arrives stores nothing', async () => {
    const { accountId, key, link } = await accountWith({ left: 100_000 });
    const bytes = await picture(50);
    const url = await link('late.png', bytes.length);
    await app.keys.revoke(accountId, await idOf(key));
    await withTemporaryFile(async (file) => {
      await writeFile(file, bytes);
      // As the transport does with what has arrived.
      const taken = app.assets.uploads.take(url.split('/').at(-1) ?? '', 0, file);
      await expect(taken).rejects.toMatchObject({ key: 'not_found.asset_upload' });
    });
    expect(await app.assets.paths(accountId)).toEqual([]);
  });

  test('a key that lost the right to upload since takes its links with it', async () => {
    const { accountId, link } = await accountWith({ left: 100_000 });
    const bytes = await picture(50);
    const url = await link('late.png', bytes.length);
    await app.database.sql`update api_keys set scopes = '{assets:read}' where account_id = ${accountId}`;
    expect((await fetch(url, { method: 'PUT', body: bytes })).status).toBe(404);
  });

  async function idOf(key: string): Promise<string> {
    return (await app.credentials.resolve(key, {})).keyId ?? '';
  }
});
