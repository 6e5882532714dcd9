import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { newBareKey, useRest } from '../../support/server.ts';

let app: ServedApp;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp();
  rest = useRest(app.url, (await newBareKey(app)).key);
});
afterAll(() => app.close());

const html =
  '<!doctype html><style>h1 { font-family: "Inter Variable" }</style><div id="stage"><h1>{{title}}</h1></div>';

async function save(name: string, content: object) {
  const manifest = { title: 'Good morning' };
  return rest('PUT', `/video-templates/${name}`, { body: { html, manifest, ...content } });
}

test('a preview is the template with its sample, in a sandbox that loads our modules and fonts alone', async () => {
  await save('morning', {});
  const { status, headers, body } = await rest(
    'GET',
    '/video-templates/morning/preview?aspect=1:1&duration=3',
  );
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${app.url}/video-templates/engine/`,
    "style-src 'unsafe-inline'",
    'connect-src data:',
    'img-src data: blob:',
    'media-src data: blob:',
    `font-src data: ${app.url}/video-templates/fonts/`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ]);
  expect(body['text']).toContain('Good morning</h1>');
  expect(body['text']).toContain(`src="${app.url}/video-templates/engine/player.ts"`);
  expect(body['text']).toContain(
    '&quot;width&quot;:1080,&quot;height&quot;:1080,&quot;fps&quot;:30,&quot;frames&quot;:90',
  );
});

test('what a preview loads is public, for pages without an origin too, and known again', async () => {
  const page = await rest('GET', '/video-templates/default/preview');
  const fonts = String(page.body['text']).match(/http[^"')]*\/video-templates\/fonts\/[\w/.-]+/g) ?? [];
  expect(fonts.length).toBeGreaterThan(0);
  const files = [
    [`${app.url}/video-templates/engine/player.ts`, 'text/javascript; charset=utf-8'],
    [`${app.url}/video-templates/engine/stage-page.ts`, 'text/javascript; charset=utf-8'],
    [String(fonts[0]), 'font/woff2'],
  ] as const;
  for (const [url, type] of files) {
    const answer = await fetch(url, { headers: { origin: 'null' } });
    const { headers } = answer;
    expect([answer.status, headers.get('content-type'), headers.get('access-control-allow-origin')]).toEqual([
      200,
      type,
      '*',
    ]);
    expect(headers.get('cache-control')).toMatch(/^public/);
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    expect((await fetch(url, { headers: known })).status).toBe(304);
  }
});

test.each([
  ['/video-templates/nothing/preview', 404],
  ['/video-templates/default/preview?aspect=4:3', 422],
  ['/video-templates/default/preview?duration=0', 422],
  ['/video-templates/engine/../request.ts', 404],
  ['/video-templates/engine/%2e%2e%2frequest.ts', 404],
  ['/video-templates/engine/none.ts', 404],
  ['/video-templates/fonts/inter/none.woff2', 404],
  ['/video-templates/engine/preview', 404],
])('GET %s is answered with %i', async (path, status) => {
  const answer = await rest('GET', path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ]);
});

test('a preview is for callers who may see videos', async () => {
  expect((await useRest(app.url)('GET', '/video-templates/default/preview')).status).toBe(401);
});

test('a template is replaced only where it is what was read', async () => {
  const first = await save('guarded', {});
  expect([first.status, first.body['created']]).toEqual([201, true]);
  const tag = first.headers.get('etag') ?? '';
  expect((await rest('GET', '/video-templates/guarded')).headers.get('etag')).toBe(tag);
  const put = (etag: string, title: string) =>
    rest('PUT', '/video-templates/guarded', {
      body: { html, manifest: { title } },
      headers: { 'if-match': etag },
    });
  const second = await put(`"other", ${tag}`, 'Good evening');
  expect([second.status, second.body['created']]).toEqual([200, false]);
  const stale = await put(tag, 'Good night');
  expect([stale.status, stale.body['code']]).toEqual([412, 'precondition_failed']);
});

test('what is wrong with a template is a problem with its line, and a word its manifest does not have is refused', async () => {
  const wrong = await save('wrong', {
    html: '<!doctype html>\n<div id="stage"><video src="x"></video></div>',
  });
  expect(wrong.body).toMatchObject({
    code: 'template_invalid',
    errors: [{ loc: ['body', 'html'], line: 2, type: 'template_invalid.video_element' }],
  });
  const typo = await save('wrong', { manifest: { title: 'x', samples: {} } });
  expect(typo.body).toMatchObject({ code: 'validation_failed', errors: [{ loc: ['body', 'manifest'] }] });
});
