import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/identity/caller.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';
import { zipOf } from '../templates/importing/archives.ts';

let app: TestApp;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp();
  call = useTools(app, await newBareCaller(app));
});
afterAll(() => app.close());

const picture = (color: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
    .png()
    .toBuffer();

const pathsOf = async (tools: Tools) =>
  ((await tools('list_assets'))['items'] as { path: string }[]).map(({ path }) => path);

/** The file that an answer links to. */
async function bytesOf({ url }: Record<string, unknown>): Promise<Buffer> {
  const { searchParams, pathname } = new URL(String(url));
  const token = searchParams.get('token') ?? '';
  const file = await app.files.open({ id: pathname.split('/').at(-1) ?? '', token });
  return Buffer.concat(await Array.fromAsync((await file?.read())?.stream ?? []));
}

test('a zip brings the pictures that its emails show, and their addresses follow', async () => {
  const archive = await zipOf({
    'mail/index.html': `<style>body{background:url(images/b%20g.png)}</style>
<img src="images/logo.png" alt=""><img src='./images/b g.png' alt=""><img src="https://a.example/images/logo.png" alt="">
<a href="images/logo.png#x">x</a><img srcset="images/logo.png 1x, images/none.png 2x" alt="">`,
    'mail/images/logo.png': await picture('#c00'),
    'mail/images/b g.png': await picture('#0c0'),
    'mail/images/unused.png': await picture('#00c'),
  });
  const payload = archive.toString('base64');
  const { notes, created } = await call('import_templates', { payload, environments: ['production'] });
  expect(notes).toMatchObject([{ template: 'images/unused.png', code: 'import_file_ignored' }]);
  const paths = await pathsOf(call);
  const [green = '', red = ''] = ['b-g.png', 'logo.png'].map((name) =>
    paths.find((path) => path.endsWith(name)),
  );
  expect([green, red]).toEqual([
    expect.stringMatching(/^imports\/[0-9a-f]{12}\/b-g\.png$/),
    expect.stringMatching(/^imports\/[0-9a-f]{12}\/logo\.png$/),
  ]);
  const [{ name } = { name: '' }] = created as { name: string }[];
  const stored = (await call('get_template', { name, include: 'html' }))['html'];
  expect(stored).toBe(`<style>body{background:url(asset:${green})}</style>
<img src="asset:${red}" alt=""><img src='asset:${green}' alt=""><img src="https://a.example/images/logo.png" alt="">
<a href="asset:${red}#x">x</a><img srcset="asset:${red} 1x, images/none.png 2x" alt="">`);
  const rendered = await call('render_template', { template: name });
  expect(rendered['warnings']).toEqual([]);
  expect(String(rendered['html'])).toContain('/a/');
});

test('a bundle carries what its templates refer to, by path and by ID', async () => {
  const owner = useTools(app, await newBareCaller(app));
  const base64 = (await picture('#abc')).toString('base64');
  const { id, sha256 } = await owner('upload_asset', {
    path: 'brand/logo.png',
    base64,
    alt: 'Logo',
    tags: ['brand'],
  });
  await owner('upload_asset', { path: 'unrelated.png', base64: (await picture('#def')).toString('base64') });
  const html = `<img src="asset:brand/logo.png" alt=""><img src="asset:${String(id)}" alt="">`;
  await owner('create_template', { name: 'letter', html });
  const bundle = await bytesOf(await owner('export_bundle'));
  const other = useTools(app, await newBareCaller(app));
  const before = await other('import_templates', { payload: bundle.toString('base64'), dry_run: true });
  expect([before['notes'], await pathsOf(other)]).toEqual([[], []]);
  await other('import_templates', { payload: bundle.toString('base64') });
  expect((await other('list_assets'))['items']).toMatchObject([
    {
      id,
      sha256,
      path: 'brand/logo.png',
      alt: 'Logo',
      tags: ['brand'],
      used_by: [{ kind: 'template', name: 'letter' }],
    },
  ]);
  const rendered = await other('render_template', { template: 'letter', branch: 'main' });
  expect(rendered['warnings']).toEqual([]);
  expect((await other('get_template', { name: 'letter', include: 'html' }))['html']).toBe(html);
});

describe('the scopes of assets', () => {
  /** The tools of an account with a picture in a template, for a key with some scopes only. */
  async function accountWith(scopes: readonly Scope[]) {
    const caller = await newBareCaller(app);
    const owner = useTools(app, caller);
    await owner('upload_asset', { path: 'logo.png', base64: (await picture('#333')).toString('base64') });
    await owner('create_template', { name: 'letter', html: '<img src="asset:logo.png" alt="">' });
    await owner('create_template', { name: 'plain', html: '<p>Hello</p>' });
    return { owner, limited: useTools(app, { ...caller, scopes }) };
  }
  const zipWith = async (files: Record<string, Buffer>) =>
    (await zipOf({ 'mail/index.html': '<img src="logo.png" alt="">', ...files })).toString('base64');

  test('without assets:write, an import that brings pictures is refused, also as a dry run, and stores nothing', async () => {
    const { owner, limited } = await accountWith(['templates:write']);
    const payload = await zipWith({ 'mail/logo.png': await picture('#444') });
    for (const dry_run of [true, false]) {
      await expect(limited('import_templates', { payload, dry_run })).rejects.toMatchObject({
        key: 'insufficient_scope.import_assets',
        params: { scope: 'assets:write', file: 'logo.png' },
      });
    }
    expect(await pathsOf(owner)).toEqual(['logo.png']);
    const { items } = await owner('list_templates');
    expect((items as { name: string }[]).map(({ name }) => name)).toEqual(['letter', 'plain']);
    const { created } = await limited('import_templates', { payload: await zipWith({}) });
    expect(created).toMatchObject([{ kind: 'template' }]);
  });

  test('without assets:read, a bundle whose templates show pictures is refused, unless it leaves them out', async () => {
    const { limited } = await accountWith(['templates:read']);
    await expect(limited('export_bundle', {})).rejects.toMatchObject({
      key: 'insufficient_scope.bundle_assets',
      params: { scope: 'assets:read' },
    });
    expect(await limited('export_bundle', { templates: ['plain'] })).toMatchObject({
      media_type: 'application/zip',
    });
    const bundle = await bytesOf(await limited('export_bundle', { assets: false }));
    expect([bundle.includes('letter/'), bundle.includes('assets')]).toEqual([true, false]);
  });
});

test('what the account has at a path stays, and a note says so', async () => {
  const mine = useTools(app, await newBareCaller(app));
  const owner = useTools(app, await newBareCaller(app));
  await owner('upload_asset', { path: 'logo.png', base64: (await picture('#111')).toString('base64') });
  await owner('create_template', { name: 'letter', html: '<img src="asset:logo.png" alt="">' });
  const bundle = await bytesOf(await owner('export_bundle'));
  const kept = await mine('upload_asset', {
    path: 'logo.png',
    base64: (await picture('#222')).toString('base64'),
  });
  const { notes } = await mine('import_templates', { payload: bundle.toString('base64') });
  expect(notes).toMatchObject([{ template: 'logo.png', code: 'import_asset_kept' }]);
  expect((await mine('get_asset', { id: 'logo.png' }))['sha256']).toBe(kept['sha256']);
});
