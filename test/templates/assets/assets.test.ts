import { afterAll, expect, test } from 'vitest';
import { AssetBlocked } from '../../../src/platform/guarded-fetch/asset-blocked.ts';
import type { FetchAsset } from '../../../src/platform/guarded-fetch/guarded-fetch.ts';
import { createAssets } from '../../../src/templates/assets/assets.ts';
import { createExaminer } from '../../../src/templates/examiner/examiner.ts';

const BLANK = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const examiner = createExaminer({ threads: 1, ms: 20_000 });
afterAll(() => examiner.close());

const never = new AbortController().signal;
const bytes = (text: string) => Buffer.from(text).toString('base64');

/** The Internet: what is at each address; everything else is refused. */
const SITE: Record<string, string> = {
  'https://cdn.test/a.png': 'AAA',
  'https://cdn.test/b.png': 'BBB',
  'https://cdn.test/dir/c.png': 'CCC',
  'https://cdn.test/icon.svg': '<svg/>',
  'https://cdn.test/font.woff2': 'WOFF',
  'https://cdn.test/dir/main.css': '@import "more.css" print;\n.x{background:url(c.png)}',
  'https://cdn.test/dir/more.css': '@font-face{src:url(/font.woff2)}',
  'https://cdn.test/hostile.css': 'a{content:"</style><script>alert(1)</script>"}',
  'https://cdn.test/circle.css': '@import "circle.css";p{}',
};
const A = `data:image/png;base64,${bytes('AAA')}`;
const B = `data:image/png;base64,${bytes('BBB')}`;
const C = `data:image/png;base64,${bytes('CCC')}`;
const FONT = `data:font/woff2;base64,${bytes('WOFF')}`;

const mediaTypeOf = (url: string) =>
  ({ css: 'text/css', svg: 'image/svg+xml', woff2: 'font/woff2' })[url.split('.').at(-1) ?? ''] ??
  'image/png';

function open(site = SITE) {
  const asked: string[] = [];
  let most = 0;
  let running = 0;
  const fetchAsset: FetchAsset = async (url) => {
    asked.push(url);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    const found = site[url];
    if (found === undefined) throw new AssetBlocked(url.startsWith('https:') ? 'bad_answer' : 'not_https');
    return { bytes: Buffer.from(found), mediaType: mediaTypeOf(url) };
  };
  const assets = createAssets({ fetchAsset, examiner });
  return {
    asked,
    most: () => most,
    inline: (html: string, more: { baseUrl?: string; signal?: AbortSignal } = {}) =>
      assets.inline(html, { signal: never, ...more }),
  };
}

const blocked = (url: string, reason = 'bad_answer') => ({
  key: 'resource_blocked',
  params: { url, reason },
});

test.each([
  ['an image', '<img src="https://cdn.test/a.png" alt=x>', `<img src="${A}" alt=x>`],
  ['without quotes', '<IMG SRC=https://cdn.test/a.png>', `<IMG src="${A}">`],
  ['without a scheme', "<img src='//cdn.test/a.png'>", `<img src="${A}">`],
  ['with spaces', '<img src=" https://cdn.test/a.png\n">', `<img src="${A}">`],
  ['with entities', '<img src="https&#58;//cdn.test/a.png">', `<img src="${A}">`],
  [
    'srcset',
    '<img srcset="https://cdn.test/a.png 1x, https://cdn.test/b.png 2x">',
    `<img srcset="${A} 1x, ${B} 2x">`,
  ],
  [
    'a picture',
    '<picture><source srcset="https://cdn.test/a.png" media="(x)"><img src="https://cdn.test/b.png"></picture>',
    `<picture><source srcset="${A}" media="(x)"><img src="${B}"></picture>`,
  ],
  ['a button', '<input type=image src="https://cdn.test/a.png">', `<input type=image src="${A}">`],
  ['a background', '<td background="https://cdn.test/a.png">x', '<td background="https://cdn.test/a.png">x'],
  [
    'the background of a cell',
    '<table><tr><td background="https://cdn.test/a.png">x</td></tr></table>',
    `<table><tr><td background="${A}">x</td></tr></table>`,
  ],
  ['a poster', '<video poster="https://cdn.test/a.png"></video>', `<video poster="${A}"></video>`],
  [
    'images of svg',
    '<svg><image href="https://cdn.test/a.png"/><image xlink:href="https://cdn.test/b.png"/></svg>',
    `<svg><image href="${A}"/><image xlink:href="${B}"/></svg>`,
  ],
  [
    'a style attribute',
    `<p style="color: red; background: url('https://cdn.test/a.png')">`,
    `<p style="color: red; background: url(&quot;${A}&quot;)">`,
  ],
  [
    'a style sheet',
    '<style>p > a {background: URL(https://cdn.test/a.png)} @font-face{src:url("https://cdn.test/font.woff2")format("woff2")}</style>',
    `<style>p > a {background: URL("${A}")} @font-face{src:url("${FONT}")format("woff2")}</style>`,
  ],
  [
    'a style sheet within svg',
    '<svg><style>a{b:url(https://cdn.test/a.png)}/* &lt; */</style></svg>',
    `<svg><style>a{b:url(&quot;${A}&quot;)}/* &lt; */</style></svg>`,
  ],
  [
    'what is shown without scripts',
    '<noscript><img src="https://cdn.test/a.png"></noscript>',
    `<noscript><img src="${A}"></noscript>`,
  ],
  [
    'a part of an svg',
    '<img src="https://cdn.test/icon.svg#part">',
    `<img src="data:image/svg+xml;base64,${bytes('<svg/>')}#part">`,
  ],
])('%s is put into the document', async (_what, html, expected) => {
  expect(await open().inline(html)).toEqual({ html: expected, warnings: [] });
});

test('a linked style sheet becomes a style, with what it imports and loads', async () => {
  const { inline } = open();
  const { html, warnings } = await inline(
    '<link rel="stylesheet" media="screen" href="https://cdn.test/dir/main.css"><p>',
  );
  const more = `@font-face{src:url("${FONT}")}`;
  expect(html).toBe(
    `<style media="screen">@import "data:text/css;base64,${bytes(more)}" print;\n.x{background:url("${C}")}</style><p>`,
  );
  expect(warnings).toEqual([]);
});

test('no style sheet ends the element it is put into, and one that imports itself comes to an end', async () => {
  const hostile = await open().inline('<link rel=stylesheet href=https://cdn.test/hostile.css>');
  expect(hostile.html).toBe('<style>a{content:"<\\/style><script>alert(1)<\\/script>"}</style>');
  const circle = await open().inline('<style>@import "https://cdn.test/circle.css";</style>');
  expect(circle.warnings).toEqual([blocked('https://cdn.test/circle.css', 'too_many')]);
});

test.each([
  '<img src="cid:logo"><img src="data:image/gif;base64,AA"><img src=""><img src="#x">',
  '<p style="background:url(data:image/gif;base64,AA);filter:url(#f)">',
  '<link rel="icon" href="https://cdn.test/a.png"><link rel="alternate stylesheet" href="https://cdn.test/x.css">',
  '<a href="https://cdn.test/a.png">x</a><!-- <img src="https://cdn.test/a.png"> -->',
  '<!--[if mso]><v:fill src="https://cdn.test/a.png"/><![endif]-->',
  '<p>url(https://cdn.test/a.png)</p><textarea><img src="https://cdn.test/a.png"></textarea>',
  '<p title="background=url(https://cdn.test/a.png)">',
  'no html at all',
  '',
])('%s stays as it is', async (html) => {
  const { inline, asked } = open();
  expect(await inline(html)).toEqual({ html, warnings: [] });
  expect(asked).toEqual([]);
});

test('everything around an edit stays as it is, to the byte', async () => {
  const around = [
    '\uFEFF<!doctype html>\r\n<P CLASS=x  id = "é😀" >&nbsp;&amp\r<b><i></b></i>',
    '</p\n>\t<?php ?><br/></body>tail\r\n',
  ];
  const { html } = await open().inline(around.join('<img src="https://cdn.test/a.png">'));
  expect(html).toBe(around.join(`<img src="${A}">`));
});

test('what cannot be had is a transparent pixel or nothing, with a warning for each address', async () => {
  const { html, warnings } = await open().inline(
    [
      '<img src="https://gone.test/1.png"><img src="https://gone.test/1.png">',
      '<img src="http://cdn.test/a.png"><img src="relative.png">',
      '<img src="https://cdn.test/a.png" srcset="https://cdn.test/b.png 2x, https://gone.test/2.png 3x">',
      '<img srcset="https://gone.test/2.png 3x">',
      '<body background="https://gone.test/3.png">',
      '<p style="background:url(https://gone.test/4.png) red">',
      '<link rel="stylesheet" href="https://gone.test/5.css">',
      '<style>@import url(https://gone.test/6.css) screen; @font-face{src:url(https://gone.test/7.woff)}</style>',
    ].join('\n'),
  );
  expect(html.split('\n')).toEqual([
    `<img src="${BLANK}"><img src="${BLANK}">`,
    `<img src="${BLANK}"><img src="${BLANK}">`,
    `<img src="${A}" srcset="${B} 2x">`,
    '<img >',
    '<body background="https://gone.test/3.png">',
    '<p style="background:url(&quot;data:,&quot;) red">',
    '',
    '<style>@import url("data:,") screen; @font-face{src:url("data:,")}</style>',
  ]);
  expect(warnings).toEqual(
    expect.arrayContaining([
      blocked('https://gone.test/1.png'),
      blocked('http://cdn.test/a.png', 'not_https'),
      blocked('relative.png', 'not_https'),
      blocked('https://gone.test/2.png'),
    ]),
  );
  expect(warnings).toHaveLength(8);
});

test('an image that cannot be had becomes a box with its alternative text, of the size the image was to have', async () => {
  const { html } = await open().inline(
    [
      '<img src="https://gone.test/1.png" width="300" height="60" alt="Acme & <b>Co</b>">',
      '<img src="https://gone.test/2.png" width="100%" alt=" Spring sale ">',
      `<img src="https://gone.test/3.png" width="160" alt="${'long '.repeat(12)}">`,
      '<img src="https://gone.test/4.png" alt="">',
    ].join('\n'),
  );
  const boxes = html.split('\n').map((line) => {
    const svg = Buffer.from(/svg\+xml;base64,([^"]*)/.exec(line)?.[1] ?? '', 'base64').toString();
    return /<svg [^>]*width="(\d+)" height="(\d+)".*?<div[^>]*>(.*)<\/div>/.exec(svg)?.slice(1);
  });
  expect(boxes).toEqual([
    ['300', '60', 'Acme &amp; &lt;b&gt;Co&lt;/b&gt;'],
    ['96', '26', 'Spring sale'],
    ['160', '80', 'long '.repeat(12).trim()],
    undefined,
  ]);
  expect(html.split('\n')[3]).toBe(`<img src="${BLANK}" alt="">`);
});

test('relative addresses start from the base, the one given or the one of the document', async () => {
  const { inline } = open();
  const relative = '<img src="c.png">';
  expect((await inline(relative, { baseUrl: 'https://cdn.test/dir/' })).html).toBe(`<img src="${C}">`);
  const own = '<base href="https://cdn.test/dir/">';
  expect((await inline(own + relative)).html).toBe(`${own}<img src="${C}">`);
});

test('each address is fetched once, six at a time, and again only when it is no longer kept', async () => {
  const site = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`https://cdn.test/${i}.png`, String(i)]),
  );
  const { inline, asked, most } = open(site);
  const html = [...Object.keys(site), ...Object.keys(site)].map((url) => `<img src="${url}">`).join('');
  const first = await inline(html);
  expect([asked.length, most(), first.warnings]).toEqual([30, 6, []]);
  expect(await inline(html)).toEqual(first);
  expect(asked).toHaveLength(30);
});

test('a document may name 50 addresses; at most 20 warnings are given, and the number of the others', async () => {
  const site = Object.fromEntries(
    Array.from({ length: 75 }, (_, i) => [`https://cdn.test/${i}.png`, String(i)]),
  );
  const { inline, asked } = open(site);
  const { warnings } = await inline(
    Object.keys(site)
      .map((url) => `<img src="${url}">`)
      .join(''),
  );
  expect(asked).toHaveLength(50);
  expect(warnings).toHaveLength(21);
  expect(warnings[0]).toEqual(blocked('https://cdn.test/50.png', 'too_many'));
  expect(warnings[20]).toEqual({ key: 'resources_blocked', params: { count: 5 } });
});

test('an image used often makes a document of no more than 20 MB of images', async () => {
  const { inline } = open({ 'https://cdn.test/a.png': 'x'.repeat(4_000_000) });
  const { html, warnings } = await inline('<img src="https://cdn.test/a.png">'.repeat(100));
  expect(html.match(/data:image\/png/g)).toHaveLength(5);
  expect(warnings).toEqual([blocked('https://cdn.test/a.png', 'too_large')]);
});

test('once a document has fetched 20 MB nothing more is fetched for it', async () => {
  const site = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`https://cdn.test/${i}.png`, 'x'.repeat(4_900_000)]),
  );
  const { inline, asked } = open(site);
  const { html, warnings } = await inline(
    Object.keys(site)
      .map((url) => `<img src="${url}">`)
      .join(''),
  );
  expect(html.match(/data:image\/png/g)).toHaveLength(4);
  // Those that were under way when it was spent are the last.
  expect(asked.length).toBeLessThanOrEqual(4 + 6);
  expect(warnings[0]).toMatchObject({ params: { reason: 'too_large' } });
});

test('all documents together fetch 24 at a time', async () => {
  const read = Promise.withResolvers<void>();
  let documents = 0;
  let running = 0;
  const assets = createAssets({
    examiner: {
      ...examiner,
      async findPlaces(html) {
        const places = await examiner.findPlaces(html);
        if (++documents === 6) setImmediate(read.resolve);
        return places;
      },
    },
    async fetchAsset() {
      running++;
      await read.promise;
      throw new AssetBlocked('bad_answer');
    },
  });
  const htmlOf = (document: number) =>
    Array.from({ length: 10 }, (_, i) => `<img src="https://cdn.test/${document}-${i}.png">`).join('');
  const all = Array.from({ length: 6 }, (_, document) => assets.inline(htmlOf(document), { signal: never }));
  await read.promise;
  expect(running).toBe(24);
  await Promise.all(all);
  expect(running).toBe(60);
});

test('a long address is cut in its warning', async () => {
  const { warnings } = await open().inline(`<img src="https://gone.test/${'x'.repeat(500)}">`);
  expect(String(warnings[0]?.params?.['url'])).toHaveLength(201);
});

test('a caller who gives up gets no document', async () => {
  const caller = new AbortController();
  const assets = createAssets({
    examiner,
    fetchAsset: async () => {
      caller.abort(new Error('enough'));
      throw new AssetBlocked('too_slow');
    },
  });
  await expect(
    assets.inline('<img src="https://cdn.test/a.png">', { signal: caller.signal }),
  ).rejects.toThrow('enough');
});

test('an unexpected error costs the image, not the document', async () => {
  const assets = createAssets({
    examiner,
    fetchAsset: async () => Promise.reject(new TypeError('a mistake')),
  });
  expect(await assets.inline('<img src="https://cdn.test/a.png">', { signal: never })).toEqual({
    html: `<img src="${BLANK}">`,
    warnings: [blocked('https://cdn.test/a.png', 'unreachable')],
  });
});

test('hostile html is read: deep, repeated, reopened by the parser', async () => {
  const image = '<img src="https://cdn.test/a.png">';
  const { inline } = open();
  expect((await inline('<div>'.repeat(5000) + image)).html).toContain(A);
  expect(
    (await inline(`<b style="background:url(https://cdn.test/a.png)"><p></b>x</p>${image}`)).html.match(
      /AUFB|QUFB/g,
    ),
  ).toHaveLength(2);
  expect((await inline(`<table>${image}<tr>`)).html).toBe(`<table><img src="${A}"><tr>`);
});
