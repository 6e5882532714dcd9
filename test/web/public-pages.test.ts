import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { offersOf } from '../../http/web/offers.ts';
import en from '../../locales/public/en.json' with { type: 'json' };
import es from '../../locales/public/es.json' with { type: 'json' };
import { openTestApp, type TestApp } from '../support/app.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const SHEET = '.public { color: #111815 }';
const BOX = 'document.title = "$&";';
const page = (name: string) => `<!doctype html>
<html lang="en"><head><title>${name}</title><!--head--><script>1</script><script type="module" crossorigin src="/web/public.js"></script><link rel="stylesheet" href="/web/public.css"></head><body><!--body--></body></html>`;

let app: TestApp;
let folder: string;
let served: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-public-'));
  await writeFile(join(folder, 'index.html'), page('the client'));
  await writeFile(join(folder, 'public.html'), page('visitors'));
  await mkdir(join(folder, 'web'));
  await writeFile(join(folder, 'web/public.css'), SHEET);
  await writeFile(join(folder, 'web/public.js'), BOX);
  app = await openTestApp();
  served = await startTestServer(app, {}, { clientFolder: folder });
});
afterAll(async () => {
  await served.close();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${served.url}${path}`, { headers: { accept: BROWSER, ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('who gets which page at /', () => {
  test('a visitor gets the page for visitors, someone signed in the client', async () => {
    expect((await open('/')).text).toContain(en.hero);
    expect((await open('/', { cookie: 'member=1' })).text).toContain('<title>the client</title>');
    expect((await open('/welcome', { cookie: 'member=1' })).text).toContain(en.hero);
  });

  test('where nobody signs in, everyone gets the client', async () => {
    const local = await startTestServer(app, { AUTH_MODE: 'open' }, { clientFolder: folder });
    const text = await (await fetch(local.url, { headers: { accept: BROWSER } })).text();
    await local.close();
    expect(text).toContain('<title>the client</title>');
  });

  test('a program still gets JSON', async () => {
    expect((await open('/', { accept: '*/*' })).headers.get('content-type')).toContain('application/json');
  });
});

test('P1: the landing page has a hero, four features, three plans and a last invitation', async () => {
  const { text } = await open('/welcome');
  expect([...text.matchAll(/<article data-section="(\w+)"/g)].map(([, name]) => name)).toEqual([
    'templates',
    'videos',
    'hooks',
    'sync',
  ]);
  expect([...text.matchAll(/<h3 class="sign">(\w+)</g)].map(([, name]) => name)).toEqual([
    'Free',
    'Pro',
    'Enterprise',
  ]);
  expect(text).toContain('<form class="ask" action="/generator"');
  expect(text).toContain(en.closing);
});

test('P3: prices are those of GET /api/v1/billing/pricing-plans, with one plan marked popular', async () => {
  const { text } = await open('/pricing');
  const { items } = await app.billing.plans({ app: 'hooks' }, 'en');
  const shown = [...text.matchAll(/data-cycle="month"><span class="fig">\$([\d.]+)</g)];
  expect(shown.map(([, amount]) => Number(amount))).toEqual(
    items.map(({ prices }) => Number(prices.find(({ interval }) => interval === 'month')?.amount ?? 0)),
  );
  expect(text.match(/data-popular/g)).toHaveLength(1);
});

describe('P4: what a year saves', () => {
  const plan = (name: string, month: string, year?: string) => ({
    ...{ id: name, app: 'hooks' as const, plan: name, name, description: '', features: [], popular: false },
    billing_enabled: false,
    prices: [
      { interval: 'month' as const, interval_count: 1, amount: month, currency: 'EUR' },
      ...(year ? [{ interval: 'year' as const, interval_count: 1, amount: year, currency: 'EUR' }] : []),
    ],
  });

  test('is computed from the prices, of the plan that saves least', () => {
    const { saving } = offersOf([plan('pro', '10', '96'), plan('enterprise', '50', '450')], 'en', en);
    expect(saving).toBe(20);
  });

  test.each([
    ['no plan has a price by year', [plan('pro', '10')]],
    ['one plan has none', [plan('pro', '10', '96'), plan('enterprise', '50')]],
    ['a year costs as much as twelve months', [plan('pro', '10', '120')]],
  ])('is not shown where %s', (_case, plans) => {
    expect(offersOf(plans, 'en', en).saving).toBeUndefined();
  });

  test('amounts are written as the language writes them', () => {
    const { plans } = offersOf([plan('pro', '9.50')], 'es', es);
    expect(plans.map(({ month }) => month)).toEqual(['9,50\u00a0€']);
  });
});

test('P5: four questions open without a script, and one says that generation pauses', async () => {
  const { text } = await open('/pricing');
  expect(text.match(/<details>/g)).toHaveLength(4);
  expect(text).toContain('Generation pauses until the next billing cycle');
});

describe('P6: the blog', () => {
  test('lists the posts, and each has a page with its text', async () => {
    const list = await open('/blog');
    expect(list.text).toContain('href="/blog/two-way-stock-sync"');
    const post = await open('/blog/two-way-stock-sync');
    expect([post.status, post.text.includes('<h1 class="sign">Sync stock between')]).toEqual([200, true]);
  });

  test('an unknown post is the page that says there is none', async () => {
    const { status, text } = await open('/blog/no-such-post');
    expect([status, text.includes('<title>the client</title>')]).toEqual([404, true]);
  });

  test('the feed and the sitemap name every post', async () => {
    const [feed, map] = [await open('/feed.xml'), await open('/sitemap.xml')];
    expect(feed.headers.get('content-type')).toContain('application/atom+xml');
    expect(feed.text.match(/<entry>/g)).toHaveLength(3);
    expect(map.text.match(/<loc>/g)).toHaveLength(6);
  });
});

describe('languages', () => {
  test('an address can choose one, and a cookie keeps it', async () => {
    const { text, headers } = await open('/pricing?lang=es');
    expect(text).toContain('<html lang="es"');
    expect(text).toContain(es.pricingLead);
    expect(headers.get('set-cookie')).toContain('language=es');
  });

  test('both have the same texts', () => {
    const shape = (texts: object): unknown =>
      Object.entries(texts).map(([key, text]) => [key, typeof text === 'object' ? shape(text) : typeof text]);
    expect(shape(es)).toEqual(shape(en));
  });
});

test('a page is compressed for those who take that, and is the same for those who do not', async () => {
  const plain = await open('/pricing', { 'accept-encoding': 'identity' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, br;q=0', 'gzip'],
  ] as const) {
    const packed = await open('/pricing', { 'accept-encoding': accepted });
    expect(packed.headers.get('content-encoding')).toBe(encoding);
    expect(packed.headers.get('vary')).toContain('Accept-Encoding');
    expect(packed.text).toBe(plain.text);
  }
});

test('P7: the styles and the script are in the page, so that it is painted without a second answer', async () => {
  const { text } = await open('/pricing');
  expect(text).toContain(`<style>${SHEET}</style>`);
  expect(text).toContain(`<script type="module">${BOX}</script>`);
  expect(text).not.toContain('rel="stylesheet"');
  expect(text).not.toMatch(/<script[^>]* src=/);
});

test('the policy runs our files only, sends nothing elsewhere, and is never unsafe-inline', async () => {
  const policy = (await open('/welcome')).headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'self' ${['1', BOX].map((script) => `'sha256-${hash('sha256', script, 'base64')}'`).join(' ')}`,
    `style-src 'self' 'sha256-${hash('sha256', SHEET, 'base64')}'`,
    "img-src 'self' https:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]);
});
