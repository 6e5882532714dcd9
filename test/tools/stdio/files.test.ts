import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localCaller } from '../../../src/identity/accounts/accounts.ts';
import { SCOPES } from '../../../src/identity/caller.ts';
import { productRegistry } from '../../../tools/index.ts';
import { createCatalogue } from '../../../tools/mcp/catalog.ts';
import { serveStdioMcp } from '../../../tools/mcp/serve-stdio.ts';
import { type FileServer, serveFiles } from '../../../tools/stdio/file-server.ts';
import { withSaving } from '../../../tools/stdio/saving-tools.ts';
import { SHOWS_APPS } from '../../mcp/support/app-clients.ts';
import { outputOf, textOf } from '../../mcp/support/clients.ts';
import { tokensOf } from '../../mcp/support/profile.ts';
import { openTestApp, silentLog, type TestApp } from '../../support/app.ts';
import { withFakeVideos } from '../../support/fake-videos.ts';
import { startTestServer, useRest } from '../../support/server.ts';

let app: TestApp;
let fakeVideos: Awaited<ReturnType<typeof withFakeVideos>>;
let files: FileServer;
let folder: string;
let accountId: string;

beforeAll(async () => {
  app = await openTestApp({ ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator' });
  fakeVideos = await withFakeVideos(app);
  files = await serveFiles(fakeVideos.app, 'http://127.0.0.1:8080', silentLog);
  ({ id: accountId } = await app.accounts.local());
});
afterAll(async () => {
  files.close();
  await fakeVideos.stop();
  await app.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'output-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The default list of a process, and calls of its tools. */
async function stdio(outputDir: string | undefined, capabilities = {}) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdioMcp({
    app: fakeVideos.app,
    registry: withSaving(productRegistry(), { outputDir, isPublic: false }),
    caller: localCaller(accountId),
    locale: 'en',
    baseUrl: files.url,
    log: silentLog,
    version: '1.2.3',
    transport: far,
  });
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  await client.connect(near);
  return {
    call: (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

const WELCOME = { template: 'welcome', format: 'html', data: { name: 'Ana' } };
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('with OUTPUT_DIR', () => {
  test('a file is saved where the call asks, and the answer names its absolute path', async () => {
    const { call, close } = await stdio(folder);
    const answer = await call('export_template', { ...WELCOME, save_to: 'mails/ana.html' });
    const path = join(folder, 'mails', 'ana.html');
    expect(textOf(answer)).toContain(path);
    expect(textOf(answer)).toContain('The file is saved on this machine');
    const saved = await readFile(path);
    expect(saved.toString()).toContain('Ana');
    expect(textOf(answer)).not.toContain('To save a file');
    await close();
  });

  test('each file of an answer is saved, none over another, also by run_tool', async () => {
    const { call, close } = await stdio(folder);
    for (let times = 0; times < 2; times++) {
      await call('run_tool', { name: 'export_template', arguments: { ...WELCOME, save_to: 'ana.html' } });
    }
    expect(await readdir(folder)).toEqual(['ana-2.html', 'ana.html']);
    await close();
  });

  test.each(['read_tool', 'read_for_app'])('%s, which changes nothing, saves no file', async (reader) => {
    const { call, close } = await stdio(folder, SHOWS_APPS);
    const input = { template: 'welcome', from: 'v1.0.0', to: 'v1.0.0', save_to: 'ana.html' };
    const answer = await call(reader, { name: 'diff_versions', arguments: input });
    expect(textOf(answer)).toContain(
      'diff_versions with save_to writes a file. Call it with run_tool, or omit save_to.',
    );
    expect(answer.isError).toBe(true);
    expect(await readdir(folder)).toEqual([]);
    await close();
  });

  test('a tool that can save a file does not promise a client that it only reads', () => {
    const hintOf = (outputDir: string | undefined) =>
      createCatalogue(withSaving(productRegistry(), { outputDir, isPublic: false })).shown('export_template')
        ?.annotations;
    expect([hintOf(undefined), hintOf(folder)]).toEqual([
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    ]);
  });

  test('a video is saved once it is completed', async () => {
    const { call, close } = await stdio(folder);
    const small = { title: 'Bread at seven', duration: 0.5, width: 64, height: 64 };
    const { id: video_id } = outputOf(await call('create_video', small)) as { id: string };
    const answer = await call('get_video', { video_id, wait_seconds: 30, save_to: 'bread' });
    const { saved_to, size_bytes } = outputOf(answer) as { saved_to: string[]; size_bytes: number };
    expect(saved_to).toEqual([join(folder, 'bread.mp4')]);
    expect((await readFile(join(folder, 'bread.mp4'))).length).toBe(size_bytes);
    await close();
  });

  test.each(['../ana.html', '/etc/ana.html', '.ssh/ana.html'])(
    '%s is refused with a sentence',
    async (save_to) => {
      const { call, close } = await stdio(folder);
      const answer = await call('export_template', { ...WELCOME, save_to });
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toContain('is not in the folder for saved files');
      expect(await readdir(folder)).toEqual([]);
      await close();
    },
  );

  test('every tool that hands out files can save them', async () => {
    const root = new URL('../../../tools/', import.meta.url);
    const sources = (await readdir(root, { recursive: true })).filter((name) =>
      /^[a-z]+\/[a-z-]+\.ts$/.test(name),
    );
    const delivering: string[] = [];
    for (const name of sources.filter((one) => !/^(contract|mcp|stdio|jobs)\//.test(one))) {
      const text = await readFile(new URL(name, root), 'utf8');
      const tool = /\bdeliver\b/.test(text) ? /^ {2}name: '(\w+)'/m.exec(text)?.[1] : undefined;
      if (tool !== undefined) delivering.push(tool);
    }
    const { find } = withSaving(productRegistry(), { outputDir: folder, isPublic: false });
    const saving = delivering.filter((name) => 'save_to' in (find(name)?.input.shape ?? {}));
    expect(saving).toEqual(delivering);
    expect(saving.length).toBeGreaterThan(5);
  });
});

describe('without OUTPUT_DIR', () => {
  test('no tool takes save_to, and the list has no token more', async () => {
    const plain = productRegistry();
    const registry = withSaving(plain, { outputDir: undefined, isPublic: false });
    const listed = (one: typeof registry) => createCatalogue(one).select([]).listed({ scopes: SCOPES });
    expect(tokensOf(listed(registry))).toBe(tokensOf(listed(plain)));
    const { call, close } = await stdio(undefined);
    const answer = await call('export_template', { ...WELCOME, save_to: 'ana.html' });
    expect(textOf(answer)).toContain('save_to');
    expect(answer.isError).toBe(true);
    await close();
  });

  test('the link works on this machine, and the answer says so', async () => {
    const { call, close } = await stdio(undefined);
    const answer = await call('export_template', WELCOME);
    expect(textOf(answer)).toContain('Links to files work on this machine while Stallhand runs there.');
    const link = new RegExp(`${files.url}/v1/files/\\S+?token=[\\w-]+`).exec(textOf(answer))?.[0] ?? '';
    const answered = await fetch(link);
    expect(answered.status).toBe(200);
    expect(answered.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(await answered.text()).toContain('Ana');
    await close();
  });

  test('the pictures of products and of the library open from their links', async () => {
    const { call, close } = await stdio(undefined);
    const run = (name: string, args: object = {}) => call('run_tool', { name, arguments: args });
    const { store } = outputOf(await run('connect_demo')) as { store: { id: string } };
    const { items } = outputOf(await run('list_products', { store_id: store.id, limit: 1 })) as {
      items: { image: string }[];
    };
    const picture = await fetch(items[0]?.image ?? '');
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const file = { path: 'mug.webp', alt: 'A mug', tags: [] };
    const { id: asset_id } = await app.assets.saveBytes(
      localCaller(accountId),
      Buffer.from(await picture.arrayBuffer()),
      file,
    );
    const { url } = outputOf(await run('get_asset', { asset_id })) as { url: string };
    expect((await fetch(url)).status).toBe(200);
    await close();
  });

  test('a video plays from its link, also from the middle', async () => {
    const { call, close } = await stdio(undefined);
    const small = { title: 'Bread at seven', duration: 0.5, width: 64, height: 64 };
    const { id: video_id } = outputOf(await call('create_video', small)) as { id: string };
    const { url } = outputOf(await call('get_video', { video_id, wait_seconds: 30 })) as { url: string };
    const whole = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const part = await fetch(url, { headers: { range: 'bytes=4-7' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 4-7/${whole.length}`);
    expect(sha256(new Uint8Array(await part.arrayBuffer()))).toBe(sha256(whole.subarray(4, 8)));
    await close();
  });
});

test('over HTTP, save_to is an unknown field and writes nothing', async () => {
  const server = await startTestServer(app, { AUTH_MODE: 'open', OUTPUT_DIR: folder });
  const rest = useRest(server.url);
  const { status } = await rest('POST', '/v1/export', { body: { ...WELCOME, save_to: 'ana.html' } });
  expect(status).toBe(422);
  expect(await readdir(folder)).toEqual([]);
  await server.close();
});

describe('the links of a process', () => {
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${files.url}${path}`, { method, headers }, (res) => {
        res.resume();
        resolve(res.statusCode);
      })
        .on('error', reject)
        .end();
    });

  test.each([
    ['another name for this machine', '/v1/files/file_1?token=x', { host: 'evil.test' }, 'GET', 403],
    ['a write', '/v1/files/file_1?token=x', {}, 'POST', 405],
    ['a wrong secret', '/v1/files/file_1?token=x', {}, 'GET', 404],
    ['no secret', '/v1/files/file_1', {}, 'GET', 404],
    ['a page', '/billing', {}, 'GET', 404],
    ['an operation', '/v1/templates', {}, 'GET', 404],
  ])('refuse %s', async (_what, path, headers, method, status) => {
    expect(await get(path, headers, method)).toBe(status);
  });
});
