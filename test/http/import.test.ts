import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';

let app: ServedApp;

beforeAll(async () => {
  app = await openServedApp();
});
afterAll(() => app.close());

function sendZip(key: string, body: Uint8Array<ArrayBuffer>, query = '') {
  return fetch(`${app.url}/v1/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/zip' },
    body,
  });
}

test('a bundle of one account is sent to another as the file it is', async () => {
  const from = await newBareKey(app);
  await useRest(app.url, from.key)('POST', '/v1/templates', {
    body: { name: 'moved', html: '<p>Hi</p>' },
  });
  const bundle = await fetch(`${app.url}/v1/bundle?templates=moved`, {
    headers: { authorization: `Bearer ${from.key}` },
  });
  expect(bundle.headers.get('content-type')).toBe('application/zip');
  const zip = new Uint8Array(await bundle.arrayBuffer());

  const to = await newBareKey(app);
  const dry = await sendZip(to.key, zip, '?dry_run=true');
  expect(await dry.json()).toMatchObject({ created: [{ name: 'moved', version: 'v1.0.0' }] });
  const answer = await sendZip(to.key, zip);
  expect(answer.status).toBe(201);
  expect(await answer.json()).toMatchObject({ created: [{ name: 'moved' }], skipped: [] });
  const again = await fetch(`${app.url}/v1/bundle?templates=moved`, {
    headers: { authorization: `Bearer ${to.key}` },
  });
  expect(Buffer.from(await again.arrayBuffer()).equals(zip)).toBe(true);
});

test('a damaged file says what is wrong with it, and nothing is created', async () => {
  const { key } = await newBareKey(app);
  const damaged = await sendZip(key, new TextEncoder().encode('PK\u0003\u0004 and nothing more'));
  expect(damaged.status).toBe(422);
  expect(await damaged.json()).toMatchObject({ code: 'validation_failed' });
});

test('a body that is no archive is a damaged one, whatever source it is said to be of', async () => {
  const { key } = await newBareKey(app);
  const body = new TextEncoder().encode('<p>This is html.</p>');
  for (const query of ['', '?source=zip', '?source=html']) {
    const answer = await sendZip(key, body, query);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      code: 'validation_failed',
      detail: expect.stringContaining('not a ZIP'),
    });
  }
});

test('a file that is sent compressed is refused, and not unpacked', async () => {
  const { key } = await newBareKey(app);
  const answer = await fetch(`${app.url}/v1/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/zip',
      'content-encoding': 'gzip',
    },
    body: gzipSync(Buffer.alloc(33 * 1024 * 1024)),
  });
  expect(answer.status).toBe(415);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('Content-Encoding') });
});

test('a file too large is refused before it is read', async () => {
  const { key } = await newBareKey(app);
  const answer = await sendZip(key, new Uint8Array(33 * 1024 * 1024));
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({
    code: 'too_large',
    detail: expect.stringContaining('33554432'),
  });
});

test('other operations take no file', async () => {
  const { key } = await newBareKey(app);
  const answer = await fetch(`${app.url}/v1/render`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/zip' },
    body: 'PK',
  });
  expect(answer.status).toBe(415);
});
