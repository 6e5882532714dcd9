import { hash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/platform/guarded-fetch/resolve-host.ts';
import { createVideoFetch } from '../../../src/videos/composition/asset-fetch.ts';
import { createCompositionBuilder } from '../../../src/videos/composition/build-composition.ts';
import { createClipReader } from '../../../src/videos/composition/clip-reader.ts';
import type { FilledPage } from '../../../src/videos/composition/composition.ts';
import { pagePlaces } from '../../../src/videos/composition/inspect-page.ts';
import { createClipPreparer } from '../../../src/videos/composition/prepare-clip.ts';
import { hasOpenssl, startTlsServer, type TlsServer } from '../../platform/guarded-fetch/tls-server.ts';
import { samples } from '../../support/samples.ts';
import { faultOf, openFiller, requestOf, templateOf } from './filler.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const WOFF2 = Buffer.from('774f46320001000000000000000a0000', 'hex');
const WAV = Buffer.from('524946462400000057415645666d74201000000001000100', 'hex');
const PHOTO = Buffer.from('a photo of ours');

const pathOf = (bytes: Buffer) => `assets/${hash('sha256', bytes)}`;
const dataOf = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`;

const PAGE: FilledPage = {
  ...{ width: 640, height: 360, fps: 30, frames: 30, html: '' },
  ...{ scripts: false, tracks: [], captions: [] },
};
const TRACK = { source: '', start: 0, volume: 1, fadeIn: 0, fadeOut: 0, loop: false, duck: false };
const never = new AbortController().signal;

const { reader, fill, close } = openFiller();
afterAll(close);

const files = new Map([['built-in/card/photo.jpg', { bytes: PHOTO, mediaType: 'image/jpeg' }]]);
const clipReader = createClipReader();
afterAll(() => clipReader.close());
const prepareClip = createClipPreparer({ reader: clipReader, convert: async () => undefined });

const gatherWith = (fetchAsset: Parameters<typeof createCompositionBuilder>[0]['fetchAsset']) =>
  createCompositionBuilder({ fetchAsset, reader, files, prepareClip });

/** Every file there could be is there; none is asked for over a network. */
const anything = gatherWith(async (address, { kinds }) =>
  kinds.includes('css')
    ? { bytes: Buffer.from(`p { mask: url("a.png?of=${hash('md5', address)}") }`), mediaType: 'text/css' }
    : { bytes: Buffer.from(address), mediaType: kinds.includes('audio') ? 'audio/mpeg' : 'image/png' },
);
const nothing = gatherWith(() => Promise.reject(new Error('nothing is fetched')));

describe('what a page has in itself', () => {
  test('data addresses and built-in files become assets, shipped fonts and URLs without a file stay', async () => {
    const html =
      `<style>@font-face { src: url(fonts/inter/a-b.woff2) } p { background: url(${dataOf(PNG, 'image/png')}); mask: url(#m) }</style>` +
      `<img src="${dataOf(SVG, 'image/svg+xml')}#part one"><img src=""><img src="built-in/card/photo.jpg">` +
      '<svg><use href="#icon"></use><rect fill="url(#g)"/></svg><a href="https://a.example/">link</a>';
    const composition = await nothing(
      { ...PAGE, html, tracks: [{ ...TRACK, source: dataOf(WAV, 'x/y') }] },
      never,
    );
    expect(composition).toEqual({
      ...PAGE,
      html:
        `<style>@font-face { src: url("fonts/inter/a-b.woff2") } p { background: url("${pathOf(PNG)}"); mask: url(#m) }</style>` +
        `<img src="${pathOf(SVG)}#part%20one"><img src=""><img src="${pathOf(PHOTO)}">` +
        '<svg><use href="#icon"></use><rect fill="url(#g)"/></svg><a href="https://a.example/">link</a>',
      tracks: [{ ...TRACK, source: pathOf(WAV) }],
      assets: new Map([
        [pathOf(PNG), { bytes: PNG, mediaType: 'image/png' }],
        [pathOf(SVG), { bytes: SVG, mediaType: 'image/svg+xml' }],
        [pathOf(PHOTO), { bytes: PHOTO, mediaType: 'image/jpeg' }],
        [pathOf(WAV), { bytes: WAV, mediaType: 'audio/wav' }],
      ]),
    });
  });

  test.each<[string, string, string, string]>([
    [
      'http',
      '<img src="http://a.example/a.png">',
      "'http://a.example/a.png' is not an HTTPS URL. Use HTTPS or a data: URL.",
      '«http://a.example/a.png» no es una URL HTTPS. Usa HTTPS o una URL data:.',
    ],
    [
      'a file',
      '<style>p { background: url(file:///etc/passwd) }</style>',
      "'file:///etc/passwd' is not an HTTPS URL. Use HTTPS or a data: URL.",
      '«file:///etc/passwd» no es una URL HTTPS. Usa HTTPS o una URL data:.',
    ],
    [
      'a path nothing of ours has',
      '<img srcset="built-in/card/other.jpg 2x">',
      "'built-in/card/other.jpg' is a path without a host, and the video has no such file. Use a full HTTPS URL.",
      '«built-in/card/other.jpg» es una ruta sin host y el video no tiene ese archivo. Usa una URL HTTPS completa.',
    ],
    [
      'a path out of the fonts',
      '<img src="fonts/inter/../../a.png">',
      "'fonts/inter/../../a.png' is a path without a host, and the video has no such file. Use a full HTTPS URL.",
      '«fonts/inter/../../a.png» es una ruta sin host y el video no tiene ese archivo. Usa una URL HTTPS completa.',
    ],
    [
      'data that is no picture',
      '<svg><image href="data:text/html,hello"/></svg>',
      "The file at 'data:text/html,hello' has the wrong type. Use PNG, JPEG, GIF, WebP, AVIF or SVG for images; WOFF2, WOFF, TTF or OTF for fonts; MP3, M4A, AAC, WAV, OGG or FLAC for sounds.",
      'El archivo de «data:text/html,hello» no es del tipo adecuado. Usa PNG, JPEG, GIF, WebP, AVIF o SVG para imágenes; WOFF2, WOFF, TTF u OTF para fuentes; MP3, M4A, AAC, WAV, OGG o FLAC para sonidos.',
    ],
    [
      'data that is broken',
      '<img src="data:image/png;base64,***">',
      "'data:image/png;base64,***' is not a valid URL. Use an HTTPS URL.",
      '«data:image/png;base64,***» no es una URL válida. Usa una URL HTTPS.',
    ],
  ])('%s fails the video', async (_what, html, english, spanish) => {
    const { fetchAsset } = createVideoFetch();
    const call = () => gatherWith(fetchAsset)({ ...PAGE, html }, never);
    expect(await faultOf(call())).toEqual({ code: 'video_failed', status: 422, detail: english, errors: [] });
    expect(await faultOf(call(), 'es')).toMatchObject({ detail: spanish });
  });

  test('more than two hundred files fail it', async () => {
    const html = Array.from({ length: 201 }, (_, i) => `<img src="https://a.example/${i}">`).join('');
    expect(await faultOf(anything({ ...PAGE, html }, never))).toMatchObject({
      detail: 'The video loads more than 200 files. Use fewer images, fonts and sounds.',
    });
  });

  test('a hundred megabytes together fail it, and nothing more is fetched', async () => {
    let fetched = 0;
    const gather = gatherWith(async (address) => {
      fetched++;
      return { bytes: Buffer.alloc(25 * 1024 * 1024, address), mediaType: 'image/png' };
    });
    const html = Array.from({ length: 100 }, (_, i) => `<img src="https://a.example/${i}">`).join('');
    expect(await faultOf(gather({ ...PAGE, html }, never))).toMatchObject({
      detail: "The video's files exceed 100 MB in total. Use smaller ones.",
    });
    expect(fetched).toBeLessThan(12);
  });
});

describe.runIf(hasOpenssl())('over https', () => {
  let server: TlsServer;
  const served = new Map<string, [body: Buffer | string, type: string]>();
  let asked: { url: string; accept: string | undefined; agent: string | undefined }[] = [];
  beforeAll(async () => {
    server = await startTlsServer((req, res) => {
      const { url = '', headers } = req;
      asked.push({ url, accept: headers.accept, agent: headers['user-agent'] });
      if (url === '/inside') res.writeHead(302, { location: 'https://10.0.0.1/' }).end();
      else if (url === '/large') res.writeHead(200, { 'content-length': 26 * 1024 * 1024 }).end();
      else if (served.has(url))
        res.writeHead(200, { 'content-type': served.get(url)?.[1] ?? '' }).end(served.get(url)?.[0]);
      else res.writeHead(404).end();
    });
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => server.close());

  const gather = (page: FilledPage) => {
    const { fetchAsset } = createVideoFetch({
      ca: server.ca,
      isAllowed: (address, port) =>
        port === server.port ? address === '127.0.0.1' : isPublicAddress(address),
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    return gatherWith(fetchAsset)(page, never);
  };
  const at = (path: string) => `https://cdn.example.test:${server.port}${path}`;

  test('everything is fetched once and named by what it is', async () => {
    served
      .set('/a.png', [PNG, 'image/png'])
      .set('/copy.png', [PNG, 'image/png'])
      .set('/f.woff2', [WOFF2, 'x/y']);
    served.set('/s/t.css', [
      '@font-face { src: url(../f.woff2#iefix) } p::before { content: "</style>" }',
      'text/css',
    ]);
    served.set('/v.wav', [WAV, '']);
    const html =
      `<link rel="stylesheet" media="screen" href="${at('/s/t.css')}"><img src="${at('/a.png')}">` +
      `<img srcset="${at('/a.png')} 1x, //cdn.example.test:${server.port}/copy.png 2x"><p style="background: url('${at('/a.png')}')">`;
    const composition = await gather({ ...PAGE, html, tracks: [{ ...TRACK, source: at('/v.wav') }] });
    expect(composition.html).toBe(
      `<style media="screen">@font-face { src: url("${pathOf(WOFF2)}") } p::before { content: "<\\/style>" }</style><img src="${pathOf(PNG)}">` +
        `<img srcset="${pathOf(PNG)} 1x, ${pathOf(PNG)} 2x"><p style="background: url(&quot;${pathOf(PNG)}&quot;)">`,
    );
    expect(composition.tracks).toEqual([{ ...TRACK, source: pathOf(WAV) }]);
    expect([...composition.assets.keys()].sort()).toEqual([WAV, PNG, WOFF2].map(pathOf).sort());
    const agent = 'Stallhand (images, sounds and clips of videos)';
    const accept = 'image/*, font/*, text/css';
    // One address may be asked for as a picture, and as a picture or font.
    expect(asked.map(({ url }) => url).sort()).toEqual([
      '/a.png',
      '/a.png',
      '/copy.png',
      '/f.woff2',
      '/s/t.css',
      '/v.wav',
    ]);
    expect(asked).toContainEqual({ url: '/v.wav', accept: 'audio/*', agent });
    expect(asked).toContainEqual({ url: '/copy.png', accept, agent });
  });

  test.each<[string, string, (address: string) => string]>([
    [
      'a file that is not there',
      '/none',
      (address) =>
        `'${address}' did not return a file: it is missing, requires sign-in or is compressed. Open it without signing in, then fix the URL.`,
    ],
    [
      'a page in place of a picture',
      '/page',
      (address) =>
        `The file at '${address}' has the wrong type. Use PNG, JPEG, GIF, WebP, AVIF or SVG for images; WOFF2, WOFF, TTF or OTF for fonts; MP3, M4A, AAC, WAV, OGG or FLAC for sounds.`,
    ],
    [
      'a file that is too large',
      '/large',
      (address) => `The file at '${address}' exceeds 25 MB. Use a smaller one.`,
    ],
    [
      'a redirect into a private network',
      '/inside',
      (address) => `'${address}' points to a private network or an unusual port. Use a public HTTPS URL.`,
    ],
  ])('%s fails the video', async (_what, path, detail) => {
    served.set('/page', ['<html>', 'image/png']);
    const call = gather({ ...PAGE, html: `<img src="${at(path)}">` });
    expect(await faultOf(call)).toMatchObject({
      code: 'video_failed',
      status: 422,
      detail: detail(at(path)),
    });
  });

  test('a style sheet that imports another fails it', async () => {
    served.set('/i.css', ['@import "other.css";', 'text/css']);
    const call = gather({ ...PAGE, html: `<link rel="stylesheet" href="${at('/i.css')}">` });
    expect(await faultOf(call)).toMatchObject({
      detail: `The style sheet at '${at('/i.css')}' imports another one, which is not loaded. Link both style sheets, and remove @import.`,
    });
  });
});

test('a caller that gives up gets its own reason', async () => {
  const controller = new AbortController();
  const gather = gatherWith((_address, { signal }) => {
    controller.abort(new Error('gone'));
    return Promise.reject(signal.reason);
  });
  await expect(
    gather({ ...PAGE, html: '<img src="https://a.example/">' }, controller.signal),
  ).rejects.toThrow('gone');
});

test('whatever a page loads, afterwards it loads nothing but assets and fonts', async () => {
  const address = fc.oneof(
    fc.webUrl({ validSchemes: ['https'], withFragments: true, withQueryParameters: true }),
    fc.constantFrom(
      '//cdn.example/a.png',
      ' https://a.example/b%20c.png\n',
      'built-in/card/photo.jpg',
      'fonts/inter/a.woff2',
      '#a',
      dataOf(PNG, 'image/png'),
    ),
  );
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const css = (url: string) =>
    `a { background: image-set("${url.trim()}" 1x, url('${url.trim().replaceAll("'", '%27')}') 2x) }`;
  // A comma at the end of an address is none of it: the next word would be another address.
  const listed = (url: string) => escaped(url.trim().replace(/,+$/, ''));
  const piece = fc
    .tuple(address, address, fc.nat(7))
    .map(
      ([one, other, kind]) =>
        [
          `<img src="${escaped(one)}" srcset="${listed(one)} 1x, ${listed(other)} 2x">`,
          `<picture><source srcset="${listed(one)}"><img src='${escaped(other).replaceAll("'", '&#39;')}'></picture>`,
          `<svg><image xlink:href="${escaped(one)}"/><use href="${escaped(other)}"/></svg>`,
          `<style>${css(one)}</style>`,
          `<svg><style>${escaped(css(one))}</style><rect mask="url(${escaped(other.trim().replaceAll("'", '%27').replaceAll('(', '%28').replaceAll(')', '%29'))})"/></svg>`,
          `<p style="${escaped(css(one).slice(4, -2))}">`,
          `<link rel="stylesheet" href="${escaped(one.startsWith('https') ? one : 'https://a.example/a.css')}">`,
          `<template shadowrootmode="open"><img src="${escaped(one)}"></template>`,
        ][kind],
    );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const template = templateOf(`<main id="stage">${pieces.join('').replaceAll('{{', '')}</main>`);
      const composition = await anything((await fill(template, requestOf())).page, never);
      for (const url of pagePlaces(composition.html).flatMap(urlsOf)) {
        const [path = ''] = url.split('#');
        expect(path.startsWith('fonts/') || path === '' || composition.assets.has(path), url).toBe(true);
      }
    }),
    { numRuns: samples(60) },
  );
});

function urlsOf(place: ReturnType<typeof pagePlaces>[number]): string[] {
  if ('urls' in place) return place.urls.map(({ url }) => url);
  return 'images' in place ? place.images.map(({ url }) => url) : [place.url];
}
