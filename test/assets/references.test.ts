import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';

let app: TestApp;
let call: Tools;
let url: string;
let id: string;

beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://mail.example', AUTH_MODE: 'required' });
  call = useTools(app, await newBareCaller(app));
  const pixel = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c00' } })
    .png()
    .toBuffer();
  const saved = await call('upload_asset', { path: 'img/logo.png', base64: pixel.toString('base64') });
  url = `https://mail.example/a/${String(saved['sha256'])}/logo.png`;
  id = String(saved['id']);
});
afterAll(() => app.close());

const render = async (html: string, data = {}) => {
  const { html: out, warnings } = await call('render_template', { html, data });
  return { html: out, warnings: (warnings as { code: string }[]).map(({ code }) => code) };
};

test('references become public addresses wherever an address stands, and stay text where text does', async () => {
  const html = `<style>p{background:url(asset:img/logo.png)}</style><p>asset:img/logo.png</p>
<img src="asset:img/logo.png" srcset="asset:img/logo.png 1x, asset:${id} 2x" style="background:url('asset:${id}')">`;
  expect(await render(html)).toEqual({
    html: `<style>p{background:url(${url})}</style><p>asset:img/logo.png</p>
<img src="${url}" srcset="${url} 1x, ${url} 2x" style="background:url('${url}')">`,
    warnings: [],
  });
});

test('a reference may come from data', async () => {
  const { html, warnings } = await render('<img src="{{photo}}" alt="">', { photo: `asset:${id}` });
  expect([html, warnings]).toEqual([`<img src="${url}" alt="">`, []]);
});

test('a reference that names nothing stays, with a warning that names it', async () => {
  expect(await render('<img src="asset:none.png" alt="">')).toEqual({
    html: '<img src="asset:none.png" alt="">',
    warnings: ['asset_missing'],
  });
});

test('what was missing is found as soon as it is there', async () => {
  expect((await render('<img src="asset:new.png" alt="">')).warnings).toEqual(['asset_missing']);
  await call('update_asset', { id, path: 'new.png' });
  expect(await render('<img src="asset:new.png" alt="">')).toEqual({
    html: `<img src="${url.replace('logo.png', 'new.png')}" alt="">`,
    warnings: [],
  });
  await call('update_asset', { id, path: 'img/logo.png' });
});

test('another account does not get the address', async () => {
  const stranger = useTools(app, await newBareCaller(app));
  const { html } = await stranger('render_template', { html: `<img src="asset:${id}" alt="">` });
  expect(html).toBe(`<img src="asset:${id}" alt="">`);
});

test('a video shows what its data refers to, and says what it does not find', async () => {
  const show = (src: string) =>
    call('preview_video_template', { name: 'slideshow', data: { images: [{ src }] } });
  const { url: preview } = await show('asset:img/logo.png');
  expect(preview).toMatch(/^http/);
  await expect(show('asset:none.png')).rejects.toMatchObject({ key: 'video_failed.asset_unknown' });
});

test('lint weighs the pictures that are assets', async () => {
  const noise = Buffer.from(Array.from({ length: 700 * 400 * 3 }, (_, index) => (index * index * 31) % 251));
  const heavy = await sharp(noise, { raw: { width: 700, height: 400, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  await call('upload_asset', { path: 'heavy.png', base64: heavy.toString('base64') });
  const html =
    '<img src="asset:heavy.png" alt="" width="1"><img src="asset:heavy.png?w=600" alt="" width="1">';
  const { findings } = await call('lint_template', { html, rules: ['img-weight'] });
  expect(findings).toMatchObject([{ rule: 'img-weight', line: 1, col: 1 }]);
});
