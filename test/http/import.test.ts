import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
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
  const { status, body } = await announceZip(key, 256 * 1024 * 1024 + 1);
  expect(status).toBe(413);
  expect(body).toMatchObject({ code: 'too_large', detail: expect.stringContaining('268435456') });
});

test('a key that may not write templates sends nothing', async () => {
  const { key } = await newBareKey(app, ['templates:read']);
  const { status, body } = await announceZip(key, 1_000);
  expect(status).toBe(403);
  expect(body).toMatchObject({ code: 'insufficient_scope' });
});

test('an account sends one file at a time, and others need not wait for it', async () => {
  const { key } = await newBareKey(app);
  let first = begin();
  function begin() {
    const sent = announce(key, 1_000);
    sent.write('PK\u0003\u0004');
    // Refused: one of the files below was received just then.
    return sent.once('response', () => {
      first = begin();
    });
  }
  const status = async () => (await sendZip(key, new Uint8Array([80, 75, 3, 4]))).status;
  await expect.poll(status, { timeout: 20_000 }).toBe(429);
  const other = await newBareKey(app);
  expect((await sendZip(other.key, new Uint8Array([80, 75, 3, 4]))).status).toBe(422);
  first.destroy();
  await expect.poll(status, { timeout: 20_000 }).toBe(422);
});

/** Begins to send a file of so many bytes. */
function announce(key: string, bytes: number): ClientRequest {
  return request(`${app.url}/v1/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/zip',
      'content-length': String(bytes),
      expect: '100-continue',
    },
  }).on('error', () => {});
}

/** What is answered although nothing of the file is sent. */
async function announceZip(key: string, bytes: number): Promise<{ status: number; body: unknown }> {
  const sent = announce(key, bytes);
  sent.flushHeaders();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (!response) throw new Error('no response');
  const body = await json(response);
  sent.destroy();
  return { status: response.statusCode ?? 0, body };
}

test('other operations take no file', async () => {
  const { key } = await newBareKey(app);
  const answer = await fetch(`${app.url}/v1/render`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/zip' },
    body: 'PK',
  });
  expect(answer.status).toBe(415);
});
