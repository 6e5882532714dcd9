import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../../src/identity/caller.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../../support/server.ts';

let app: TestApp;
let server: TestServer;
let owner: Awaited<ReturnType<typeof newBareKey>>;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openTestApp();
  server = await startTestServer(app);
  owner = await newBareKey(app);
  rest = useRest(server.url, owner.key);
});
afterAll(async () => {
  await server.close();
  await app.close();
});

const picture = (width: number, height: number, color = '#c00') =>
  sharp({ create: { width, height, channels: 3, background: color } });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function put(path: string, bytes: Uint8Array, type = 'application/octet-stream', key = owner.key) {
  const response = await fetch(`${server.url}/v1/assets/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body: Buffer.from(bytes),
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, string> & { id: string },
  };
}

const publicOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, server.url);

describe('uploading', () => {
  test('a picture is stored at its path, without its metadata, and served to everyone for a year', async () => {
    const bytes = await picture(40, 20)
      .withExif({ IFD0: { Copyright: 'secret-place' } })
      .jpeg()
      .toBuffer();
    expect(bytes.includes('secret-place')).toBe(true);
    const { status, body } = await put('images/red.jpg', bytes, 'image/jpeg');
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        ...{ path: 'images/red.jpg', type: 'image', media_type: 'image/jpeg', width: 40, height: 20 },
        ...{ reference: 'asset:images/red.jpg', created: true, used_by: [] },
        url: `${server.url}/a/${body['sha256']}/red.jpg`,
      }),
    ]);
    const shown = await fetch(publicOf(body['url'] ?? ''), { headers: { 'sec-fetch-site': 'cross-site' } });
    const served = Buffer.from(await shown.arrayBuffer());
    expect(served.includes('secret-place')).toBe(false);
    expect(sha256(served)).toBe(body['sha256']);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'image/jpeg',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${body['sha256']}"`,
    });
    const known = await fetch(publicOf(body['url'] ?? ''), {
      headers: { 'if-none-match': `"${body['sha256']}"` },
    });
    expect(known.status).toBe(304);
  });

  test('a picture that the camera held sideways is stored upright', async () => {
    const bytes = await picture(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { body } = await put('images/sideways.jpg', bytes);
    expect(body).toMatchObject({ width: 20, height: 40 });
    const shown = await (await fetch(publicOf(body['url'] ?? ''))).arrayBuffer();
    expect(await sharp(Buffer.from(shown)).metadata()).toMatchObject({ width: 20, height: 40 });
  });

  test('the bytes say what a file is, whatever its name and its Content-Type say', async () => {
    const gif = Buffer.from(
      'GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;',
      'latin1',
    );
    const polyglot = Buffer.concat([gif, Buffer.from('<script>alert(1)</script>')]);
    const { body } = await put('page.html', polyglot, 'text/html');
    expect(body).toMatchObject({ type: 'image', media_type: 'image/gif' });
    const shown = await fetch(publicOf(body['url'] ?? ''));
    expect([shown.headers.get('content-type'), (await shown.text()).includes('script')]).toEqual([
      'image/gif',
      false,
    ]);
    for (const bytes of ['<!doctype html><p>hi', 'MZ\x90', '%PDF-1.7', '', 'PK\x03\x04'])
      expect([bytes, (await put('image.png', Buffer.from(bytes), 'image/png')).status]).toEqual([bytes, 415]);
  });

  test('an SVG is sanitized, and shown in a sandbox that loads nothing', async () => {
    const svg = '<svg viewBox="0 0 9 9"><script>alert(1)</script><circle r="4"/></svg>';
    const { body } = await put('logo.svg', Buffer.from(svg));
    const shown = await fetch(publicOf(body['url'] ?? ''));
    expect(await shown.text()).not.toContain('script');
    expect(shown.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'",
    );
  });

  test('a picture of too many pixels is refused with a sentence, before it is decoded', async () => {
    const bomb = await picture(100, 100).png().toBuffer();
    bomb.writeUInt32BE(100_000, 16);
    bomb.writeUInt32BE(100_000, 20);
    // The checksum of the head is of the size that it says.
    const { crc32 } = await import('node:zlib');
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const { status, body } = await put('bomb.png', bomb);
    expect([status, body['detail']]).toEqual([
      413,
      "'bomb.png' has 100000 × 100000 pixels. An image can have at most 64 million pixels, and 16383 on a side. Resize it first.",
    ]);
  });

  test('the same content is stored once; a new one at a path leaves the old address working', async () => {
    const first = await put('a/one.png', await picture(10, 10, '#123').png().toBuffer());
    const used = async () => (await app.assets.usage(owner.accountId)).used;
    const before = await used();
    const copy = await put('a/two.png', await picture(10, 10, '#123').png().toBuffer());
    expect([copy.body['sha256'], await used()]).toEqual([first.body['sha256'], before]);
    const next = await put('a/one.png', await picture(10, 10, '#321').png().toBuffer());
    expect([next.status, next.body.id]).toEqual([200, first.body.id]);
    expect(next.body['url']).not.toBe(first.body['url']);
    expect((await fetch(publicOf(first.body['url'] ?? ''))).status).toBe(200);
  });

  test('without a file, the answer says where it goes', async () => {
    expect((await rest('PUT', '/v1/assets/none.png', { body: { alt: 'A logo' } })).body).toMatchObject({
      status: 422,
      detail: "No file was sent. Send the file's bytes as the request body.",
    });
  });

  test('a path that leaves its folder, or has a form of its own, is refused', async () => {
    const bytes = await picture(5, 5).png().toBuffer();
    for (const path of ['.hidden', 'a%2F..%2Fb', 'a%20b.png', 'ast_1', 'a//b', 'a%00b'])
      expect([path, (await put(path, bytes)).status]).toEqual([path, 422]);
  });

  test('several files come as a form', async () => {
    const form = new FormData();
    form.append('folder', 'spring');
    form.append('files', new Blob([Buffer.from(await picture(8, 8).png().toBuffer())]), 'my photo.png');
    form.append('files', new Blob([Buffer.from(await picture(9, 9).webp().toBuffer())]), 'other.webp');
    const headers = { authorization: `Bearer ${owner.key}` };
    const response = await fetch(`${server.url}/v1/assets`, { method: 'POST', headers, body: form });
    const { items } = (await response.json()) as { items: { path: string }[] };
    expect([response.status, items.map(({ path }) => path)]).toEqual([
      201,
      ['spring/my-photo.png', 'spring/other.webp'],
    ]);
    const broken = await fetch(`${server.url}/v1/assets`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
      body: 'no form',
    });
    expect([400, 415, 422]).toContain(broken.status);
  });

  test('the plan says how much an account may store', async () => {
    const small = await newBareKey(app);
    await app.database.sql`
      insert into asset_contents (account_id, sha256, type, media_type, bytes)
      values (${small.accountId}, ${'0'.repeat(64)}, 'video', 'video/mp4', ${1024 ** 3})`;
    const { status, body } = await put('a.png', await picture(5, 5).png().toBuffer(), 'image/png', small.key);
    expect([status, body['code']]).toEqual([403, 'plan_limit']);
  });

  test('a key without the scope stores nothing', async () => {
    const reader = await newBareKey(app, ['assets:read']);
    expect((await put('a.png', Buffer.alloc(10), 'image/png', reader.key)).status).toBe(403);
  });
});

describe('an asset that a published template shows', () => {
  /** An account with a template at `path` in production, and a key of it that may not promote. */
  async function published(path: string) {
    const first = await newBareKey(app);
    const all = useRest(server.url, first.key);
    const [red, blue] = await Promise.all(['#c00', '#00c'].map((it) => picture(6, 6, it).png().toBuffer()));
    if (!red || !blue) throw new Error('no pictures');
    await put(path, red, 'image/png', first.key);
    await put('other.png', red, 'image/png', first.key);
    const html = `<p><img src="asset:${path}" alt=""></p>`;
    await all('POST', '/v1/templates', { body: { name: 'sale', html } });
    const scopes = SCOPES.filter((scope) => scope !== 'templates:promote');
    const { key } = await app.keys.create(first.accountId, 'writer', scopes, null);
    return { ...first, all, blue, writer: useRest(server.url, key), writerKey: key };
  }

  test('is not replaced, moved or deleted by a key that may not promote', async () => {
    const { blue, writer, writerKey } = await published('hero.png');
    const { status, body } = await put('hero.png', blue, 'image/png', writerKey);
    expect([status, body['detail']]).toEqual([
      403,
      "Published templates use 'hero.png': sale. Changing it requires the scope templates:promote, which your key or role lacks. Upload the file to another path, or use a key that has the scope.",
    ]);
    const base64 = blue.toString('base64');
    const answers = [
      await writer('POST', '/v1/assets', { body: { path: 'hero.png', base64 } }),
      await writer('POST', '/v1/assets', { body: { path: 'hero.png' } }),
      await writer('POST', '/v1/assets/uploads', { body: { path: 'hero.png', bytes: blue.length } }),
      await writer('PATCH', '/v1/assets/hero.png', { body: { path: 'away.png' } }),
      await writer('DELETE', '/v1/assets/hero.png?force=true'),
    ];
    expect(answers.map((answer) => [answer.status, answer.body['code']])).toEqual(
      answers.map(() => [403, 'insufficient_scope']),
    );
    expect((await put('other.png', blue, 'image/png', writerKey)).status).toBe(200);
    expect((await writer('PATCH', '/v1/assets/hero.png', { body: { alt: 'A hero' } })).status).toBe(200);
  });

  test('is not replaced by an upload link that such a key made before the template was published', async () => {
    const { all, blue, writer } = await published('hero.png');
    const made = await writer('POST', '/v1/assets/uploads', {
      body: { path: 'next.png', bytes: blue.length },
    });
    await all('POST', '/v1/assets', { body: { path: 'next.png', base64: blue.toString('base64') } });
    await all('POST', '/v1/templates', { body: { name: 'next', html: '<img src="asset:next.png" alt="">' } });
    const sent = await fetch(String(made.body['upload_url']), { method: 'PUT', body: Buffer.from(blue) });
    expect([sent.status, ((await sent.json()) as { code: string }).code]).toEqual([
      403,
      'insufficient_scope',
    ]);
  });

  test('is replaced by a key that may', async () => {
    const { key, blue } = await published('hero.png');
    expect((await put('hero.png', blue, 'image/png', key)).status).toBe(200);
  });
});

describe('upload links', () => {
  const link = async (path: string, bytes: number, more = {}) =>
    String((await rest('POST', '/v1/assets/uploads', { body: { path, bytes, ...more } })).body['upload_url']);

  test('a link takes one file, once, without a credential', async () => {
    const bytes = Buffer.from(await picture(30, 30).png().toBuffer());
    const url = await link('linked.png', bytes.length);
    const sent = await fetch(url, { method: 'PUT', body: bytes });
    expect([sent.status, await sent.json()]).toEqual([
      201,
      expect.objectContaining({ path: 'linked.png', width: 30 }),
    ]);
    expect((await fetch(url, { method: 'PUT', body: bytes })).status).toBe(404);
    expect((await fetch(`${server.url}/v1/uploads/${'x'.repeat(43)}`, { method: 'HEAD' })).status).toBe(404);
  });

  test('the link that a model gets takes a file of any size, in one request', async () => {
    const bytes = Buffer.from(await picture(31, 30).png().toBuffer());
    const { body } = await rest('POST', '/v1/assets', { body: { path: 'from-a-shell.png', alt: 'A shell' } });
    const sent = await fetch(String(body['upload_url']), { method: 'PUT', body: bytes });
    expect([sent.status, await sent.json()]).toEqual([
      201,
      expect.objectContaining({ path: 'from-a-shell.png', width: 31, alt: 'A shell' }),
    ]);
  });

  test('a file that breaks off is resumed, as tus clients do', async () => {
    const bytes = Buffer.from(await picture(50, 50).png().toBuffer());
    const url = await link('parts.png', bytes.length, { sha256: sha256(bytes) });
    const patch = (offset: number, part: Buffer) =>
      fetch(url, {
        method: 'PATCH',
        headers: {
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
          'tus-resumable': '1.0.0',
        },
        body: Buffer.from(part),
      });
    const first = await patch(0, bytes.subarray(0, 60));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '60']);
    const wrong = await patch(10, bytes.subarray(10));
    expect([wrong.status, wrong.headers.get('upload-offset')]).toEqual([409, '60']);
    const state = await fetch(url, { method: 'HEAD' });
    expect(Object.fromEntries(state.headers)).toMatchObject({
      'upload-offset': '60',
      'upload-length': String(bytes.length),
      'tus-resumable': '1.0.0',
    });
    expect((await patch(60, bytes.subarray(60))).status).toBe(204);
    expect((await rest('GET', '/v1/assets/parts.png')).body).toMatchObject({ width: 50 });
  });

  test('a file whose last part came just before the server was killed is an asset once its client asks for the offset', async () => {
    const bytes = Buffer.from(await picture(52, 50).png().toBuffer());
    const url = await link('last.png', bytes.length + 1);
    const part = { method: 'PUT', body: bytes };
    const range = `bytes 0-${bytes.length - 1}/${bytes.length + 1}`;
    expect((await fetch(url, { ...part, headers: { 'content-range': range } })).status).toBe(204);
    // As it is after the last part, before the asset.
    await app.database.sql`update asset_uploads set bytes = ${bytes.length} where path = 'last.png'`;
    const { status, headers } = await fetch(url, { method: 'HEAD' });
    expect([status, headers.get('upload-offset')]).toEqual([200, String(bytes.length)]);
    expect((await rest('GET', '/v1/assets/last.png')).body).toMatchObject({ width: 52 });
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404);
  });

  test('Content-Range works too, and a file of another size or content is refused', async () => {
    const bytes = Buffer.from(await picture(51, 50).png().toBuffer());
    const total = bytes.length;
    const url = await link('ranges.png', total);
    const range = (from: number, to: number) =>
      fetch(url, {
        method: 'PUT',
        headers: { 'content-range': `bytes ${from}-${to - 1}/${total}` },
        body: Buffer.from(bytes.subarray(from, to)),
      });
    expect((await range(0, 40)).status).toBe(204);
    expect((await range(40, total)).status).toBe(201);
    const small = await link('small.png', 10);
    expect((await fetch(small, { method: 'PUT', body: bytes })).status).toBe(413);
    const other = await link('other.png', total, { sha256: '0'.repeat(64) });
    expect((await fetch(other, { method: 'PUT', body: bytes })).status).toBe(422);
    expect((await fetch(other, { method: 'PUT', body: bytes })).status).toBe(404);
  });
});

describe('the library', () => {
  test('assets are found by text, tag, type and folder', async () => {
    await put('shop/mug.png', await picture(12, 12).png().toBuffer());
    await rest('PATCH', '/v1/assets/shop%2Fmug.png', { body: { tags: ['mugs'], alt: 'A blue mug' } });
    const paths = async (query: string) => {
      const { items } = (await rest('GET', `/v1/assets?${query}`)).body as { items: { path: string }[] };
      return items.map(({ path }) => path);
    };
    expect(await paths('q=blue%20MUG')).toEqual(['shop/mug.png']);
    expect(await paths('tag=mugs')).toEqual(['shop/mug.png']);
    expect(await paths('folder=shop/')).toEqual(['shop/mug.png']);
    expect(await paths('folder=shop&type=font')).toEqual([]);
  });

  test('an asset in use is deleted only by force; its address stops working until it is restored', async () => {
    const { body } = await put('hero.png', await picture(13, 13).png().toBuffer());
    const html = '<p><img src="asset:hero.png" alt=""></p>';
    await rest('POST', '/v1/templates', { body: { name: 'with-hero', html } });
    expect((await rest('GET', `/v1/assets/${body.id}`)).body['used_by']).toEqual([
      { kind: 'template', name: 'with-hero' },
    ]);
    const unused = (await rest('GET', '/v1/assets?unused=true')).body as { items: { path: string }[] };
    expect(unused.items.map(({ path }) => path)).not.toContain('hero.png');
    expect((await rest('DELETE', '/v1/assets/hero.png')).body).toMatchObject({
      status: 409,
      used_by: [{ kind: 'template', name: 'with-hero' }],
    });
    expect((await rest('DELETE', '/v1/assets/hero.png?force=true')).body).toEqual({ deleted: true });
    expect((await fetch(publicOf(body['url'] ?? ''))).status).toBe(404);
    await rest('PATCH', `/v1/assets/${body.id}`, { body: { restore: true } });
    expect((await fetch(publicOf(body['url'] ?? ''))).status).toBe(200);
  });
});
