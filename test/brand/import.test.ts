import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';

let app: TestApp;
let call: Tools;
beforeAll(async () => {
  // Pages are built here to meet the limits.
  app = await openTestApp({ TIME_LIMIT_FACTOR: '1' });
  call = useTools(app, await newBareCaller(app));
});
afterAll(() => app.close());

const url = 'https://fernandclay.example/shop?x=1';

test('a page is read for everything that a brand has, each with where it was found, and nothing is saved', async () => {
  const html = `<!doctype html><html lang="pt-pt"><head>
<title>Pots for your plants | Fern &amp; Clay</title>
<meta name="description" content="Hand-made pots
 from Lisbon.">
<meta property="og:site_name" content="Fern &amp; Clay Shop">
<link rel="apple-touch-icon" href="/icon.png">
<script type="application/ld+json">{"@graph":[{"@type":"WebSite","name":"no"},{"@type":"Organization","name":"Fern & Clay","address":{"streetAddress":"Rua da Rosa 41","postalCode":"1200-383","addressLocality":"Lisbon","addressCountry":"PT"},"sameAs":["https://www.instagram.com/fern"]}]}</script>
<style>:root{--brand-primary:#12543f;--accent-color:#c8553d}body{margin:0;background:#fffdf8;color:#222;font-family:"Karla",Arial,sans-serif}h1{font-family:'Fraunces',serif}header{background:#12543f;height:120px}.b{background:#c8553d;height:40px;width:200px}</style>
</head><body><header><img class="site-logo" src="img/logo.svg" alt=""></header><h1>Pots</h1><p>Text of the page, again and again, and again.</p><div class="b"></div><a href="https://facebook.com/fern">f</a></body></html>`;
  const read = await call('import_brand', { url, html });
  expect(read).toMatchObject({
    url,
    proposal: {
      name: 'Fern & Clay',
      logos: { light: 'https://fernandclay.example/img/logo.svg' },
      colors: { primary: '#12543f', accent: '#c8553d', background: '#fffdf8', text: '#222222' },
      fonts: { heading: 'Fraunces', body: 'Karla' },
      links: {
        website: 'https://fernandclay.example',
        instagram: 'https://www.instagram.com/fern',
        facebook: 'https://facebook.com/fern',
      },
      address: 'Rua da Rosa 41, 1200-383 Lisbon, PT',
      languages: ['pt-PT'],
    },
    description: 'Hand-made pots from Lisbon.',
    logos: [{ url: 'https://fernandclay.example/icon.png', where: 'link apple-touch-icon' }],
  });
  expect(read['found']).toEqual(
    expect.arrayContaining([
      { field: 'name', value: 'Fern & Clay', where: 'JSON-LD name' },
      { field: 'logos.light', value: 'https://fernandclay.example/img/logo.svg', where: 'img in the header' },
      { field: 'colors.primary', value: '#12543f', where: '--brand-primary' },
      {
        field: 'colors.background',
        value: '#fffdf8',
        where: expect.stringMatching(/^\d\d\.\d% of the page$/),
      },
      { field: 'fonts.heading', value: 'Fraunces', where: 'CSS of h1 or h2' },
      { field: 'address', value: 'Rua da Rosa 41, 1200-383 Lisbon, PT', where: 'JSON-LD address' },
    ]),
  );
  expect(await call('get_brand', {})).toMatchObject({ version: 0 });
});

test('what is proposed can be saved as it is', async () => {
  const html = `<!doctype html><html lang="en"><title>A\u0007 | ${'Long name '.repeat(20)}</title><style>body{background:#101010;font-family:'Own Font'}</style><a href="https://x.com/a'b">x</a>`;
  const { proposal } = await call('import_brand', { url, html });
  const other = useTools(app, await newBareCaller(app));
  expect(await other('save_brand', proposal as Record<string, unknown>)).toMatchObject({
    version: 1,
    colors: { background: '#101010' },
    fonts: { body: 'Own Font' },
  });
});

test.each([
  'https://localhost/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://10.0.0.8/',
  'https://169.254.169.254/latest/meta-data',
  'https://0x7f.1/',
  'http://fernandclay.example/',
  'file:///etc/passwd',
  'https://me:secret@fernandclay.example/',
  'no address',
])('%s is not read', async (address) => {
  await expect(call('import_brand', { url: address })).rejects.toMatchObject({
    key: 'validation_failed.brand_url',
    status: 422,
  });
});

test('a style sheet or a picture of our own network is not loaded, and the rest is read', async () => {
  const html =
    '<!doctype html><title>Fern</title><link rel="stylesheet" href="https://127.0.0.1/a.css"><style>@import url(https://127.0.0.1/b.css);body{background:#fff url(https://127.0.0.1/c.png)}</style><img class="logo" src="http://169.254.169.254/logo.png"><p>Text</p>';
  expect(await call('import_brand', { url, html })).toMatchObject({ proposal: { name: 'Fern' }, logos: [] });
});

test('a page that says something dangerous proposes only what a brand may have', async () => {
  const html = `<!doctype html><html lang="x y"><title><script>alert(1)</script></title>
<script>document.title='ran'</script><script type="application/ld+json">{"@type":"Organization","name":5,"logo":"javascript:alert(1)","sameAs":["javascript:alert(1)//instagram.com"]}</script>
<meta name="theme-color" content="red;}body{background:url(//evil.example)"><img class="logo" src="javascript:alert(1)"><style>body{font-family:"a';}b{c:url(x)"}</style>`;
  const { proposal } = await call('import_brand', { url, html });
  expect(JSON.stringify(proposal)).not.toMatch(/javascript:|url\(/);
  const other = useTools(app, await newBareCaller(app));
  expect(await other('save_brand', proposal as Record<string, unknown>)).toMatchObject({ version: 1 });
});

test('text that is no page is refused', async () => {
  await expect(call('import_brand', { url, html: '{"a":1}' })).rejects.toMatchObject({
    key: 'validation_failed.brand_page',
  });
});

test('a page built to take long is read in bounded time', async () => {
  const nested = `<!doctype html><title>Deep</title>${'<div>'.repeat(90_000)}`;
  expect(await call('import_brand', { url, html: nested })).toMatchObject({ proposal: { name: 'Deep' } });
  const css = `<!doctype html><title>Wide</title><style>${'{'.repeat(100_000)}${':'.repeat(100_000)}</style>`;
  expect(await call('import_brand', { url, html: css })).toMatchObject({ proposal: { name: 'Wide' } });
});
