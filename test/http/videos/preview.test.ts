import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { newBareKey, useRest } from '../../support/server.ts';

let app: ServedApp;
let rest: ReturnType<typeof useRest>;
let accountId: string;

beforeAll(async () => {
  app = await openServedApp();
  const made = await newBareKey(app);
  accountId = made.accountId;
  rest = useRest(app.url, made.key);
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
    [`${app.url}/video-templates/engine/page.ts`, 'text/javascript; charset=utf-8'],
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

/** The page behind a link, opened by somebody without a credential. */
async function opened(url: unknown) {
  const answer = await fetch(String(url));
  const policy = answer.headers.get('content-security-policy') ?? '';
  return { status: answer.status, policy: policy.split('; '), html: await answer.text() };
}

test("a preview with the caller's own data is a link for an hour, with what is doubtful about the data", async () => {
  await save('morning', {});
  const brand = { color: 'not-a-colour' };
  const { status, headers, body } = await rest('POST', '/video-templates/morning/preview', {
    body: { data: { title: 'My own <title>', titel: 1 }, brand, aspect: '16:9', duration: 2 },
  });
  expect([status, body]).toEqual([
    200,
    {
      url: expect.stringMatching(`^${app.url}/video-previews/file_\\w+\\?token=[\\w-]{43}$`),
      expires_at: expect.any(String),
      warnings: [
        expect.objectContaining({ code: 'unknown_field', field: 'data.titel' }),
        expect.objectContaining({ code: 'unknown_field', field: 'data.brand' }),
        expect.objectContaining({ code: 'color_unreadable', field: 'data.brand.color' }),
      ],
    },
  ]);
  const left = Date.parse(String(body['expires_at'])) - Date.parse(headers.get('date') ?? '');
  expect(Math.round(left / 60_000)).toBe(60);
  const page = await opened(body['url']);
  expect([page.status, page.policy[0], page.policy[2]]).toEqual([
    200,
    'sandbox allow-scripts',
    `script-src ${app.url}/video-templates/engine/`,
  ]);
  expect(page.html).toContain('My own &lt;title&gt;</h1>');
  expect(page.html).toContain('&quot;frames&quot;:60');
  expect(page.html).toContain("Did you mean 'title'?");
});

test('unsaved HTML is shown as it would be saved, and only scripts that its manifest has run', async () => {
  const scripted = `<script>1</script><div id="stage">{{title}}</div>`;
  const path = '/video-templates/unsaved/preview';
  const refused = await rest('POST', path, { body: { html: scripted } });
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ loc: ['body', 'html'], line: 1, type: 'template_invalid.video_script' }] },
  });
  const manifest = { title: 'Unsaved', scripts: true };
  const { body } = await rest('POST', path, { body: { html: scripted, manifest } });
  const page = await opened(body['url']);
  expect(page.policy[2]).toBe(`script-src ${app.url}/video-templates/engine/ 'unsafe-inline'`);
  expect(page.html).toContain('Unsaved</div>');
  expect((await rest('GET', '/video-templates/unsaved')).status).toBe(404);
});

test('a preview is opened with its own link alone, and no other file as a page', async () => {
  const { body } = await rest('POST', '/video-templates/default/preview', { body: {} });
  const url = String(body['url']);
  expect((await opened(url.slice(0, -1))).status).toBe(404);
  expect((await opened(url.slice(0, url.indexOf('?')))).status).toBe(404);
  // The same file as a download runs nothing.
  const asFile = await opened(url.replace('/video-previews/', '/v1/files/'));
  expect(asFile.policy[0]).toBe('sandbox');
  const page = { bytes: Buffer.from('<script>1</script>'), mediaType: 'text/html', filename: 'a.html' };
  const { path } = await app.files.save(accountId, page);
  expect((await opened(`${app.url}${path.replace('/v1/files/', '/video-previews/')}`)).status).toBe(404);
});

test('a template named like a folder of ours has its versions and its preview', async () => {
  await save('engine', {});
  expect((await rest('GET', '/video-templates/engine/versions')).body).toMatchObject({
    items: [{ version: 1 }],
  });
  expect((await rest('DELETE', '/video-templates/engine')).body).toEqual({ deleted: true });
});

test('a built-in name is refused', async () => {
  const { status, body } = await save('default', {});
  expect([status, body['code']]).toEqual([409, 'built_in']);
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
    html: '<!doctype html>\n<div id="stage"><embed src="x"></div>',
  });
  expect(wrong.body).toMatchObject({
    code: 'template_invalid',
    errors: [{ loc: ['body', 'html'], line: 2, type: 'template_invalid.video_element' }],
  });
  const typo = await save('wrong', { manifest: { title: 'x', samples: {} } });
  expect(typo.body).toMatchObject({ code: 'validation_failed', errors: [{ loc: ['body', 'manifest'] }] });
});
