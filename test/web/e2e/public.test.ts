import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, cutBoxes } from '../../support/look.ts';
import { newPerson, type Sight } from './person.ts';
import { useWebWithSignIn } from './use-web.ts';

const web = useWebWithSignIn();

const SIGHTS: readonly Required<Sight>[] = [
  { theme: 'dark', language: 'en', width: 1440 },
  { theme: 'light', language: 'es', width: 1440 },
  { theme: 'dark', language: 'es', width: 390 },
  { theme: 'light', language: 'en', width: 360 },
];

const PATHS = ['/', '/pricing', '/blog', '/blog/two-way-stock-sync'];

describe.each(PATHS)('%s', (path) => {
  test.each(SIGHTS)(
    'is accessible, whole and without complaints: $theme, $language, $width px',
    async (sight) => {
      const person = await newPerson(web.browser, web.app.url, sight);
      await person.open(path);
      expect({
        complaints: person.complaints,
        accessibility: await accessibilityFaults(person.page),
        cut: await cutBoxes(person.page),
        language: await person.page.$eval('html', ({ lang }) => lang),
      }).toEqual({ complaints: [], accessibility: [], cut: [], language: sight.language });
      await person.leave();
    },
  );
});

describe.each(['en', 'es'] as const)('what networks show beside a link, in %s', (language) => {
  test.each([...PATHS, '/blog/versioned-email-templates', '/blog/opening-lines-that-hold'])(
    '%s names a picture of its own that is there, of the named size and type',
    async (path) => {
      const headers = { accept: 'text/html', 'accept-language': language };
      const html = await (await fetch(`${web.app.url}${path}`, { headers })).text();
      const meta = Object.fromEntries(
        [...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)].map(([, name, value]) => [
          name,
          value,
        ]),
      );
      const address = new URL(meta['og:image'] ?? '');
      const response = await fetch(address);
      const bytes = Buffer.from(await response.arrayBuffer());
      const { format, width, height } = await sharp(bytes).metadata();
      expect({
        origin: address.origin,
        name: address.pathname,
        type: [response.headers.get('content-type'), meta['og:image:type'], format],
        cached: response.headers.get('cache-control'),
        size: [width, height],
        said: [meta['og:image:width'], meta['og:image:height']],
        card: meta['twitter:card'],
      }).toEqual({
        origin: web.app.url,
        name: expect.stringContaining(
          `/web/social-${language}-${path === '/' ? 'landing' : path.slice(1).replace('/', '-')}-`,
        ),
        type: ['image/png', 'image/png', 'png'],
        cached: 'public, max-age=31536000, immutable',
        size: [1200, 630],
        said: ['1200', '630'],
        card: 'summary_large_image',
      });
      expect(meta['og:image:alt']).toMatch(/\S{3}/);
      expect(bytes.length).toBeLessThanOrEqual(60 * 1024);
    },
  );
});

test.each(PATHS)(
  'P7: %s is at most 45 KB without its pictures, on the wire and with its letters',
  async (path) => {
    const { page, open, leave } = await newPerson(web.browser, web.app.url, { language: 'es' });
    const client = await page.createCDPSession();
    await client.send('Network.enable');
    const parts = new Map<string, { type: string; url: string; bytes: number }>();
    client.on('Network.responseReceived', ({ requestId, type, response: { url } }) =>
      parts.set(requestId, { type, url, bytes: 0 }),
    );
    client.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => {
      const part = parts.get(requestId);
      if (part) part.bytes = bytes;
    });
    await open(path);
    const counted = [...parts.values()].filter(({ type }) => type !== 'Image');
    const letters = counted.filter(({ type }) => type === 'Font').map(({ url }) => new URL(url).pathname);
    const size = counted.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
    console.log(`${path}: ${size.toFixed(1)} KB with the headers of its answers`);
    expect(letters.sort()).toEqual([
      expect.stringContaining('/web/public-fraunces-'),
      expect.stringContaining('/web/public-inter-'),
    ]);
    expect(size).toBeLessThanOrEqual(45);
    await leave();
  },
);

test('a phone reads the first page of a visit in its own letters, and the second in ours, which the first has fetched', async () => {
  const { page, open, leave } = await newPerson(web.browser, web.app.url);
  await page.setViewport({ width: 412, height: 823 });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/woff2$/.test(request.url()))
      asked.push(`${request.resourceType()} ${new URL(request.url()).pathname}`);
  });
  const loaded = () =>
    page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').length);
  // Whole, not only begun: the second page takes them from the browser's cache.
  const fetched = ['inter', 'fraunces'].map(async (face) => {
    const response = await page.waitForResponse((one) => one.url().includes(`/web/public-${face}-`));
    await response.buffer();
  });
  await open('/welcome');
  await Promise.all(fetched);
  expect(await loaded()).toBe(0);
  expect(asked.sort()).toEqual([
    expect.stringContaining('other /web/public-fraunces-'),
    expect.stringContaining('other /web/public-inter-'),
  ]);
  await open('/pricing');
  expect(await loaded()).toBe(2);
  await leave();
});

test('P2: a visitor writes three hooks in place, and is then asked once to keep them', async () => {
  const { page, open, leave } = await newPerson(web.browser, web.app.url);
  await open('/');
  await page.locator('#topic').fill('glazing a mug');
  await page.locator('.ask button').click();
  await page.waitForSelector('dialog[open]');
  expect(await page.$$eval('.found li', (items) => items.length)).toBe(3);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
  expect(await page.evaluate(() => document.activeElement?.closest('form')?.className)).toBe('ask');
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('anon_hooks') ?? '{}'));
  expect(kept).toEqual({ date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/), count: 1 });
  await leave();
});

test('an empty topic is refused under the field, and nothing is sent', async () => {
  const { page, open, calls, leave } = await newPerson(web.browser, web.app.url);
  await open('/');
  await page.locator('.ask button').click();
  await page.waitForSelector('.ask-problem:not([hidden])');
  expect(await page.$eval('.ask-problem', ({ textContent }) => textContent)).toBe('Enter a topic.');
  expect(calls).toEqual([]);
  await leave();
});

test('P7: without JavaScript everything is there, and the form leads to the generator', async () => {
  const { page, open, leave } = await newPerson(web.browser, web.app.url);
  await page.setJavaScriptEnabled(false);
  await open('/');
  await page.focus('#topic');
  await page.keyboard.type('glazing a mug');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/generator?topic=glazing+a+mug');
  await leave();
});
