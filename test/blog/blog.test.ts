import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBlog } from '../../src/blog/blog.ts';
import type { Post } from '../../src/blog/post.ts';
import { createRemotePosts } from '../../src/blog/remote-posts.ts';
import { createGuardedFetch } from '../../src/platform/guarded-fetch/guarded-fetch.ts';
import { hasOpenssl, startTlsServer, type TlsServer } from '../platform/guarded-fetch/tls-server.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';

type Answer = { readonly items: readonly Post[]; readonly next_cursor?: string };

describe('the blog', () => {
  let app: ServedApp;
  beforeAll(async () => {
    app = await openServedApp({ AUTH_MODE: 'required' });
  });
  afterAll(() => app.close());

  const read = async (path: string, language = 'en') => {
    const response = await fetch(`${app.url}/api/v1/blog${path}`, {
      headers: { 'accept-language': language },
    });
    return { status: response.status, body: (await response.json()) as Answer & Post };
  };

  test('lists posts, newest first, to anyone, in pages', async () => {
    const { status, body } = await read('?limit=2');
    expect(status).toBe(200);
    expect(body.items.map(({ slug }) => slug)).toEqual(['opening-lines-that-hold', 'two-way-stock-sync']);
    expect(body.items[0]).toEqual({
      slug: 'opening-lines-that-hold',
      title: 'Write an opening line that people stay for',
      excerpt: expect.stringContaining('Five checks'),
      date: '2026-11-17',
    });
    const rest = await read(`?limit=2&cursor=${body.next_cursor}`);
    expect(rest.body.items.map(({ slug }) => slug)).toEqual(['versioned-email-templates']);
    expect(rest.body.next_cursor).toBeNull();
  });

  test.each(['en', 'es'])('has each post as HTML: %s', async (language) => {
    const { body } = await read('', language);
    expect(body.items).toHaveLength(3);
    for (const { slug, title } of body.items) {
      const post = await read(`/${slug}`, language);
      expect(post).toMatchObject({ status: 200, body: { slug, title } });
      expect(post.body.html).toMatch(/^<p>[\s\S]+<h2>/);
    }
  });

  test('says of a post that it does not exist', async () => {
    expect(await read('/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await read('/..%2F..%2Fpackage')).status).toBe(404);
  });
});

describe.runIf(hasOpenssl())('the blog of another server', () => {
  let server: TlsServer;
  let documents: Record<string, unknown> = {};
  let asked: string[] = [];
  let time = 0;
  const post = { slug: 'news', title: 'News', excerpt: 'What is new.', date: '2026-01-02' };

  beforeAll(async () => {
    server = await startTlsServer((req, res) => {
      asked.push(req.url ?? '');
      const document = documents[req.url ?? ''];
      if (document === undefined) res.writeHead(500).end();
      else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    });
  });
  afterAll(() => server.close());

  function open() {
    asked = [];
    time = 0;
    const { fetchJson } = createGuardedFetch({
      ca: server.ca,
      isAllowed: (address, port) => address === '127.0.0.1' && port === server.port,
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const url = `https://blog.example.test:${server.port}/posts`;
    const posts = createRemotePosts({ url, fetchJson, now: () => time });
    return createBlog({ en: posts, es: posts });
  }

  test('is asked once in five minutes, however many read, and its HTML loses what could do harm', async () => {
    const html =
      '<p onclick="x()">Hi<script>alert(1)</script><a href="javascript:x()">a</a><iframe src="https://x"></iframe></p>';
    documents = { '/posts': { items: [{ ...post, html }] }, '/posts/news': { ...post, html } };
    const blog = open();
    await Promise.all([1, 2, 3].map(() => blog.list('en', { limit: 10 })));
    expect(await blog.list('es', { limit: 10 })).toEqual({ items: [post], next_cursor: null });
    expect(await blog.get('en', 'news')).toEqual({ ...post, html: '<p>Hi<a>a</a></p>' });
    await expect(blog.get('en', 'else')).rejects.toMatchObject({ key: 'not_found.post' });
    expect(asked).toEqual(['/posts', '/posts/news']);
    time += 6 * 60_000;
    await blog.list('en', { limit: 10 });
    expect(asked).toHaveLength(3);
  });

  test('that does not answer is replaced by the copy of it for a day', async () => {
    documents = { '/posts': { items: [post] } };
    const blog = open();
    await blog.list('en', { limit: 10 });
    documents = {};
    time += 23 * 3_600_000;
    expect(await blog.list('en', { limit: 10 })).toEqual({ items: [post], next_cursor: null });
    time += 2 * 3_600_000;
    await expect(blog.list('en', { limit: 10 })).rejects.toMatchObject({ key: 'upstream_failed.blog' });
  });

  test.each([
    ['no list', 7],
    ['posts of another form', { items: [{ ...post, slug: '../../admin' }] }],
    ['images that are scripts', { items: [{ ...post, image: 'javascript:alert(1)' }] }],
  ])('that answers with %s is not shown', async (_what, document) => {
    documents = { '/posts': document };
    await expect(open().list('en', { limit: 10 })).rejects.toMatchObject({ key: 'upstream_failed.blog' });
  });
});
