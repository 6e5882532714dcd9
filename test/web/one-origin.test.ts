import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const SCRIPT = 'document.documentElement.dataset.ran = "yes";';
const SHELL = `<!doctype html>
<html lang="en" class="dark" data-mantine-color-scheme="dark" data-theme="dark">
<head><meta property="csp-nonce" nonce=""><!--data--><script>${SCRIPT}</script></head>
<body></body></html>`;
const MANIFEST = {
  '_start-a.js': { file: 'web/start-a.js', css: ['web/start-a.css'] },
  '_common-b.js': { file: 'web/common-b.js', imports: ['_start-a.js'] },
  'src/pages/templates/editor.tsx': {
    file: 'web/editor-c.js',
    css: ['web/editor-c.css'],
    imports: ['_start-a.js', '_common-b.js'],
  },
  '../locales/web/en.json': { file: 'web/en-d.js' },
  '../locales/web/es.json': { file: 'web/es-e.js' },
};
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const ASSET = `export const text = '${'stall '.repeat(200)}';`;

let app: TestApp;
let folder: string;
let served: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-client-'));
  await mkdir(join(folder, 'web'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify(MANIFEST));
  await writeFile(join(folder, 'index.html'), SHELL);
  await writeFile(join(folder, 'public.html'), SHELL);
  await writeFile(join(folder, 'web/index-abc.js'), ASSET);
  await writeFile(join(folder, 'web/index-abc.js.br'), brotliCompressSync(ASSET));
  await writeFile(join(folder, 'web/index-abc.js.gz'), gzipSync(ASSET));
  await writeFile(join(folder, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  app = await openTestApp();
  served = await startTestServer(app, {}, { clientFolder: folder });
});
afterAll(async () => {
  await served.close();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${served.url}${path}`, { headers, redirect: 'manual' });

/** Status and kind of an answer. */
async function answer(path: string, headers: Record<string, string> = {}) {
  const response = await get(path, headers);
  await response.body?.cancel();
  return [response.status, response.headers.get('content-type')?.split(';')[0]];
}

describe('one origin', () => {
  test('GET / is the page for a browser, and JSON for everything else', async () => {
    expect(await answer('/', { accept: BROWSER })).toEqual([200, 'text/html']);
    expect(await answer('/', { accept: 'application/json' })).toEqual([200, 'application/json']);
    expect(await answer('/', { accept: '*/*' })).toEqual([200, 'application/json']);
    expect(await answer('/')).toEqual([200, 'application/json']);
    expect((await get('/', { accept: BROWSER })).headers.get('vary')).toContain('Accept');
  });

  test('a call with a credential is a call of the API, whatever it accepts', async () => {
    expect(await answer('/', { accept: BROWSER, authorization: 'Bearer sh_live_wrong' })).toEqual([
      200,
      'application/json',
    ]);
  });

  test('a path of the API stays the API when a browser opens it', async () => {
    expect(await answer('/health', { accept: BROWSER })).toEqual([200, 'application/json']);
    expect(await answer('/openapi.json', { accept: BROWSER })).toEqual([200, 'application/json']);
    expect(await answer('/v1/templates', { accept: BROWSER })).toEqual([401, 'application/problem+json']);
  });

  test('G7: an address that is no page is a page with status 404 for a browser, and a problem for a program', async () => {
    expect(await answer('/no-such-page', { accept: BROWSER })).toEqual([404, 'text/html']);
    expect(await answer('/no-such-page', { accept: 'application/json' })).toEqual([
      401,
      'application/problem+json',
    ]);
  });

  test('a page is only read: another method of its path is none', async () => {
    const response = await fetch(`${served.url}/dashboard`, { method: 'POST', headers: { accept: BROWSER } });
    expect(response.status).toBe(401);
  });

  test('without a built client, a browser gets what the API says', async () => {
    const bare = await startTestServer(app, {}, { clientFolder: join(folder, 'nothing') });
    const response = await fetch(bare.url, { headers: { accept: BROWSER } });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    await bare.close();
  });
});

describe('the page that starts the client', () => {
  test('its policy runs our files and the one script of the page, and has no unsafe-inline', async () => {
    const response = await get('/dashboard', { accept: BROWSER });
    const policy = response.headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /nonce="([0-9a-f]{32})"/.exec(await response.text()) ?? [];
    expect(policy.split('; ')).toEqual([
      "default-src 'self'",
      `script-src 'self' 'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data: blob: https:",
      "media-src 'self' blob:",
      "connect-src 'self'",
      "frame-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
  });

  test('every answer has another nonce', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () =>
        (await get('/dashboard', { accept: BROWSER })).headers.get('content-security-policy'),
      ),
    );
    expect(new Set(policies).size).toBe(2);
  });

  const opening = async (cookie: string, languages = 'de') => {
    const text = await (
      await get('/dashboard', { accept: BROWSER, cookie, 'accept-language': languages })
    ).text();
    return /<html[^>]*>/.exec(text)?.[0];
  };

  test('G1: dark without a choice, and the choice of the cookie before the first paint', async () => {
    const dark = '<html lang="en" class="dark" data-mantine-color-scheme="dark" data-theme="dark">';
    expect(await opening('')).toBe(dark);
    expect(await opening('theme=light')).toBe(
      '<html lang="en" data-mantine-color-scheme="light" data-theme="light">',
    );
    expect(await opening('theme=system')).toBe(dark.replace('data-theme="dark"', 'data-theme="system"'));
    expect(await opening('theme="><script>alert(1)</script>')).toBe(dark);
  });

  test('G2: the language is the one that was chosen, then one that the browser asks for, then English', async () => {
    expect(await opening('language=es', 'en')).toContain('lang="es"');
    expect(await opening('', 'es-MX,es;q=0.9')).toContain('lang="es"');
    expect(await opening('', 'de')).toContain('lang="en"');
  });
});

describe('what a page names in its head, so that a browser asks for all of it at once', () => {
  const html = async (path: string, headers = {}) =>
    (await get(path, { accept: BROWSER, ...headers })).text();
  const data = (id: string, text: string) =>
    JSON.parse(new RegExp(`id="${id}"[^>]*>(.*?)</script>`).exec(text)?.[1] ?? '');
  const reads = (text: string) => data('reads', text);

  test('the files of the page and the texts of the language, without those that every page starts with', async () => {
    const text = await html('/templates/welcome', { cookie: 'language=es' });
    expect(
      [...text.matchAll(/<link rel="([^"]+)"[^>]*href="([^"]+)"/g)].map(([, rel, href]) => [rel, href]),
    ).toEqual([
      ['modulepreload', '/web/editor-c.js'],
      ['preload', '/web/editor-c.css'],
      ['modulepreload', '/web/common-b.js'],
      ['modulepreload', '/web/es-e.js'],
    ]);
  });

  test('what it reads first, of the template and the branch of its address', async () => {
    expect(reads(await html('/templates/order%20shipped?branch=holiday%2Fa'))).toEqual([
      '/api/v1/user/profile',
      '/v1/templates/order%20shipped?branch=holiday%2Fa&include=html',
      '/v1/templates/order%20shipped/branches',
      '/v1/templates/order%20shipped/fixtures',
    ]);
    expect(reads(await html('/billing'))).toEqual(['/api/v1/user/profile']);
  });

  test('what the server says of itself to everyone, in the language of the page', async () => {
    const said = await get('/api/v1/config', { 'accept-language': 'es' });
    const text = await html('/login', { cookie: 'language=es' });
    expect(text).toContain('<script type="application/json" id="config" lang="es">');
    expect(data('config', text)).toEqual(await said.json());
    expect(reads(text)).toEqual([]);
  });

  test('an address ends no script, and is no pattern', async () => {
    const text = await html('/templates/%3C%2Fscript%3E%24%26?branch=%3C%2Fscript%3E%3Cscript%3Ealert(1)');
    expect(text.match(/<script/g)).toHaveLength(3);
    expect(reads(text)[1]).toBe(
      '/v1/templates/%3C%2Fscript%3E%24%26?branch=%3C%2Fscript%3E%3Cscript%3Ealert(1)&include=html',
    );
  });
});

describe('the files of the client', () => {
  test('they are kept forever, and asked for by their tag when they are not', async () => {
    const first = await get('/web/index-abc.js');
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const tag = first.headers.get('etag') ?? '';
    const again = await get('/web/index-abc.js', { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('a browser that takes Brotli gets it, though it names gzip first, under a tag of its own', async () => {
    const { request } = await import('node:http');
    const { headers, body } = await new Promise<{ headers: Record<string, unknown>; body: Buffer }>(
      (resolve) => {
        request(
          `${served.url}/web/index-abc.js`,
          // As browsers write it.
          { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
          },
        ).end();
      },
    );
    const plain = await get('/web/index-abc.js', { 'accept-encoding': 'identity' });
    expect(headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(body).toString()).toBe(ASSET);
    expect(headers['etag']).not.toBe(plain.headers.get('etag'));
    expect(await plain.text()).toBe(ASSET);
  });

  test('scripts come without what only a document obeys; a picture that a browser can open as one has all of it', async () => {
    const script = await get('/web/index-abc.js', { 'accept-encoding': 'identity' });
    expect([...script.headers.keys()].sort()).toEqual([
      ...['cache-control', 'connection', 'content-length', 'content-type', 'cross-origin-resource-policy'],
      ...['date', 'etag', 'keep-alive', 'referrer-policy', 'vary', 'x-content-type-options', 'x-request-id'],
    ]);
    const picture = await get('/mark.svg');
    expect(picture.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(picture.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });

  test('a file whose name does not change is asked for again each time', async () => {
    expect((await get('/mark.svg')).headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  });

  test('nothing else of the folder is served', async () => {
    expect(await answer('/index.html')).toEqual([401, 'application/problem+json']);
    expect(await answer('/web/../index.html')).toEqual([401, 'application/problem+json']);
    expect(await answer('/web/index-abc.js.br')).toEqual([401, 'application/problem+json']);
  });
});

describe('the frame of previews', () => {
  test('runs nothing but its loader, loads nothing from elsewhere, and only our pages frame it', async () => {
    const response = await get('/preview-frame');
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(await response.text()) ?? [];
    expect((response.headers.get('content-security-policy') ?? '').split('; ')).toEqual([
      'sandbox allow-scripts',
      "default-src 'none'",
      `script-src 'sha256-${hash('sha256', script, 'base64')}'`,
      "style-src 'unsafe-inline'",
      "img-src 'self' data:",
      'font-src data:',
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ]);
  });

  test('loads pictures of other servers only when it is asked to', async () => {
    const policy = (await get('/preview-frame?images=on')).headers.get('content-security-policy');
    expect(policy).toContain("img-src 'self' data: https:");
  });
});
