import { afterAll, beforeAll, expect, test } from 'vitest';
import { PIXEL } from '../../tools/assets/asset-input.ts';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const BRAND = {
  name: 'Fern & Clay',
  logos: { light: 'asset:light.png', dark: 'asset:dark.png' },
  colors: { primary: '#12543f', accent: '#d3f08a', background: '#ffffff' },
  fonts: { heading: 'Fraunces', body: 'Some Font That Is Not Shipped' },
};
const SMALL = { title: 'Opening day', duration: 0.5, width: 64, height: 64 };

async function newAccount(brand?: Record<string, unknown>) {
  const caller = await newBareCaller(app);
  const call = useTools(app, caller);
  await call('upload_asset', { path: 'light.png', base64: PIXEL });
  await call('upload_asset', { path: 'dark.png', base64: PIXEL });
  if (brand) await call('save_brand', brand);
  const pageOf = async (input: Record<string, unknown>) => {
    const video = await call('create_video', { ...SMALL, ...input });
    const [row] = await app.database.sql`select page from videos where id = ${String(video['id'])}`;
    return { video, html: String(row?.['page'].html) };
  };
  return { call, pageOf };
}

test('a video without a brand in its data shows that of the account, and says what it took', async () => {
  const { pageOf } = await newAccount(BRAND);
  const { video, html } = await pageOf({});
  expect(video['brand']).toEqual({
    brand: 'default',
    version: 1,
    fields: ['brand.name', 'brand.logo', 'brand.color', 'brand.accent', 'brand.background', 'fonts.heading'],
  });
  expect(html).toContain('<header class="brand"><img src="asset:light.png" alt=""></header>');
  expect(html).toContain('--paper:#ffffff;--color:#12543f;--accent:#d3f08a');
  expect(html).toContain('#stage{--display:"Fraunces Variable",sans-serif!important}');
});

test('on a dark background it is the logo for dark surfaces', async () => {
  const { pageOf } = await newAccount({ ...BRAND, colors: { background: '#101010' } });
  expect((await pageOf({})).html).toContain('<img src="asset:dark.png" alt="">');
});

test('what the caller gives counts: name and logo together, and the colors together', async () => {
  const { pageOf } = await newAccount(BRAND);
  const named = await pageOf({ data: { brand: { name: 'Studio Marea' } } });
  expect(named.video['brand']).toMatchObject({
    fields: ['brand.color', 'brand.accent', 'brand.background', 'fonts.heading'],
  });
  expect(named.html).toContain('<span dir="auto">Studio Marea</span>');
  const colored = await pageOf({ data: { brand: { color: '#aa0000' } } });
  expect(colored.video['brand']).toMatchObject({ fields: ['brand.name', 'brand.logo', 'fonts.heading'] });
  expect(colored.html).toContain('--color:#aa0000');
  expect(colored.html).not.toContain('#d3f08a');
});

test('a logo that the library does not have is left out, and the video shows the name', async () => {
  const { pageOf } = await newAccount({ name: 'Fern & Clay', logos: { light: 'asset:none.png' } });
  const { video, html } = await pageOf({});
  expect(video['brand']).toMatchObject({ fields: ['brand.name'] });
  expect(html).toContain('<span dir="auto">Fern &amp; Clay</span>');
});

test('a template that takes no brand gets none, and an account without one sees what it saw', async () => {
  const { call, pageOf } = await newAccount(BRAND);
  const html = '<!doctype html><div id="stage">{{title}}</div>';
  await call('save_video_template', { name: 'plain', html, manifest: { title: 'Plain' } });
  expect((await pageOf({ template: 'plain' })).video['brand']).toBeNull();
  const other = await newAccount();
  expect((await other.pageOf({})).video['brand']).toBeNull();
});

test('a change of the brand changes no video that was made before', async () => {
  const { call, pageOf } = await newAccount(BRAND);
  const { video } = await pageOf({});
  await call('save_brand', { name: 'Another', logos: null });
  const { brand } = await call('get_video', { video_id: video['id'] });
  expect(brand).toMatchObject({ version: 1 });
  expect((await pageOf({})).html).toContain('<span dir="auto">Another</span>');
});
