import { afterAll, expect, test } from 'vitest';
import { toHex } from '../../src/brand/importing/read-css.ts';
import { readPage } from '../../src/brand/importing/read-page.ts';
import { createSiteReader } from '../../src/brand/importing/site-reader.ts';
import { newBareCaller, openTestApp, useTools } from '../support/app.ts';

// Pages of 600,000 characters that are small to send and much to read.

const url = 'https://fernandclay.example/';
const reader = createSiteReader({ ms: 60_000 });
const hasty = createSiteReader({ ms: 150 });
afterAll(() => Promise.all([reader.close(), hasty.close()]));

test('a page of 147,000 line breaks is read', () => {
  const html = `<!doctype html><title>Fern</title><body>${'<br>'.repeat(147_000)}</body>`;
  expect(readPage(html, url)).toMatchObject({ title: 'Fern', addresses: [] });
});

test('a title is one line of at most 1,000 characters', () => {
  const titleOf = (text: string) => readPage(`<!doctype html><title>${text}</title>`, url).title;
  expect(titleOf(`Pots${' '.repeat(590_000)}| Fern`)).toBe('Pots | Fern');
  expect(titleOf('Fern '.repeat(118_000))).toHaveLength(999);
});

test('no more than eight pictures are kept that may be the logo', () => {
  const html = `<!doctype html><header>${'<img class=logo src=a>'.repeat(25_000)}</header>`;
  expect(readPage(html, url).logos).toHaveLength(8);
});

test('a color of 590,000 digits is none', () => {
  expect(toHex(`rgb(${'1'.repeat(590_000)}`)).toBeUndefined();
});

test.each(['<link ', '<head '])(
  'a page of 97,000 times %s that never ends proposes its name',
  async (tag) => {
    const app = await openTestApp();
    const call = useTools(app, await newBareCaller(app));
    const html = `<!doctype html><title>Fern</title><style>${tag.repeat(97_000)}</style>`;
    expect(await call('import_brand', { url, html })).toMatchObject({ proposal: { name: 'Fern' } });
    await app.close();
  },
);

test('a thread reads what the page says', async () => {
  const html = '<!doctype html><html lang="pt"><title>Fern</title><meta name="description" content="Pots">';
  expect(await reader.page(html, url)).toEqual(readPage(html, url));
});

test('elements that the parser opens again in every paragraph are refused at the limit, and the next page is read', async () => {
  // 250 million elements: no thread gets to the end of it, however late it is asked.
  const bold = Array.from({ length: 5_000 }, (_, nth) => `<b id=${nth}>`).join('');
  const html = `<!doctype html><p>${bold}${'</p><p>x'.repeat(50_000)}`;
  await expect(hasty.page(html, url)).rejects.toMatchObject({
    status: 422,
    key: expect.stringMatching(/^render_limit\.brand_page_(?:time|memory)$/),
  });
  expect(await hasty.page('<!doctype html><title>Next</title>', url)).toMatchObject({ title: 'Next' });
});
