import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthenticate } from '../../../http/auth/authentication.ts';
import { createFaultHandler } from '../../../http/faults.ts';
import { createFileRoutes } from '../../../http/files/files.ts';
import { identifyRequest } from '../../../http/request.ts';
import { createSecurityHeaders } from '../../../http/security-headers.ts';
import { createFiles, type Files, type StoredFile } from '../../../src/files/files.ts';
import { createAccounts } from '../../../src/identity/accounts/accounts.ts';
import { createAnonymousCallers } from '../../../src/identity/anonymous-callers.ts';
import { SCOPES } from '../../../src/identity/caller.ts';
import { createKeys } from '../../../src/identity/keys/keys.ts';
import type { Blobs } from '../../../src/platform/blobs/blobs.ts';
import { createFolderBlobs } from '../../../src/platform/blobs/folder-blobs.ts';
import { createServerSecret } from '../../../src/platform/server-secret.ts';
import { createRateLimits } from '../../../src/rate-limits/rate-limits.ts';
import { plainVoice } from '../../../src/voice.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

const CONTENT = '0123456789abcdefghij';
const SANDBOX = "sandbox; frame-ancestors 'self'";

let database: TestDatabase;
let folder: string;
let blobs: Blobs;
let files: Files;
let http: Server;
let url: string;
let owner: { accountId: string; key: string };
let stranger: { accountId: string; key: string };
let file: StoredFile;

beforeAll(async () => {
  database = await openTestDatabase();
  const { sql } = database;
  const keys = createKeys({ sql, plans: { requireKeys: async () => {} } });
  const anonymousCallers = createAnonymousCallers({
    secret: createServerSecret({ sql, encryptionKey: undefined }),
  });
  const accounts = createAccounts({ sql, seedAccount: async () => {} });
  const rateLimits = createRateLimits({ sql });
  const newKey = async () => {
    const { id } = await accounts.create('test');
    return { accountId: id, key: (await keys.create(id, 'test', SCOPES, null)).key };
  };
  folder = await mkdtemp(join(tmpdir(), 'stallhand-files-'));
  blobs = createFolderBlobs(folder);
  files = createFiles({ sql, blobs });
  const headers = createSecurityHeaders({ publicUrl: undefined });
  const server = express().disable('etag').use(identifyRequest, headers);
  // Of the product it needs who may come in, and no more.
  const authenticate = createAuthenticate(
    { credentials: keys, accounts, anonymousCallers, rateLimits },
    { authMode: 'required', publicUrl: undefined },
  );
  server.use(createFileRoutes({ app: { files }, authenticate }));
  server.use(createFaultHandler({ log: pino({ level: 'silent' }), language: 'en', voice: plainVoice }));
  http = createServer(server).listen(0, '127.0.0.1');
  await once(http, 'listening');
  // A TCP server that listens has an address with a port.
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  [owner, stranger] = [await newKey(), await newKey()];
  file = await files.save(owner.accountId, of('text/html', 'page.html'));
});
afterAll(async () => {
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
  await database.close();
  await rm(folder, { recursive: true });
});

const of = (mediaType: string, filename: string, content = CONTENT) => ({
  bytes: Buffer.from(content),
  mediaType,
  filename,
});
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${url}${path}`, { method, headers });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const problemOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
];

test('the link gives the bytes with everything a browser needs to treat them well', async () => {
  const response = await get(file.path);
  expect([response.status, await response.text()]).toEqual([200, CONTENT]);
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _alive,
    'x-request-id': _id,
    'permissions-policy': _permissions,
    ...headers
  } = Object.fromEntries(response.headers);
  expect({ ...headers, 'cache-control': headers['cache-control']?.replace(/\d+/, 'N') }).toEqual({
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=N, immutable',
    'content-disposition': 'attachment; filename=page.html',
    'content-length': '20',
    'content-security-policy': "sandbox; frame-ancestors 'self'",
    'content-type': 'text/html',
    'cross-origin-opener-policy': 'unsafe-none',
    'cross-origin-resource-policy': 'cross-origin',
    etag: `"${file.sha256}"`,
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  });
});

test('the credential of its account reads a file without the token', async () => {
  const response = await get(`/v1/files/${file.id}`, bearer(owner.key));
  expect([response.status, await response.text()]).toEqual([200, CONTENT]);
});

test('HEAD tells the same without the bytes', async () => {
  const head = await get(file.path, {}, 'HEAD');
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '20', '']);
  expect(head.headers.get('etag')).toBe(`"${file.sha256}"`);
});

test('a wrong token, another account, an expired file and one that never was get one answer', async () => {
  const expired = await files.save(owner.accountId, of('image/png', 'old.png'), { days: -1 });
  const wrong = `${file.path.slice(0, -1)}${file.path.endsWith('A') ? 'B' : 'A'}`;
  const answers = await Promise.all([
    get(wrong),
    get(`/v1/files/${file.id}?token=`),
    get(`/v1/files/${file.id}?token=a&token=b`),
    get(`/v1/files/${file.id}`, bearer(stranger.key)),
    get(wrong, bearer(stranger.key)),
    get(expired.path),
    get(`/v1/files/${expired.id}`, bearer(owner.key)),
    get('/v1/files/file_unknown', bearer(owner.key)),
    get('/v1/files/%00', bearer(owner.key)),
    get(`/v1/files/file_unknown?token=${file.path.split('=')[1]}`),
  ]);
  for (const answer of answers) {
    expect(answer.headers.get('etag')).toBeNull();
    const body = (await answer.json()) as Record<string, unknown>;
    expect([answer.status, body['code'], body['detail']]).toEqual([
      404,
      'not_found',
      'File not found, or its link has expired. Create it again.',
    ]);
  }
});

test('without token and credential the answer is 401, whether the file exists or not', async () => {
  expect(await problemOf(await get(`/v1/files/${file.id}`))).toEqual([401, 'unauthenticated']);
  expect(await problemOf(await get('/v1/files/file_unknown'))).toEqual([401, 'unauthenticated']);
});

test('a client that has the bytes gets 304', async () => {
  const tag = `"${file.sha256}"`;
  for (const known of [tag, `W/${tag}`, `"a", ${tag}`, '*']) {
    const response = await get(file.path, { 'if-none-match': known });
    expect([known, response.status, await response.text()]).toEqual([known, 304, '']);
  }
  expect((await get(file.path, { 'if-none-match': '"other"' })).status).toBe(200);
});

test.each([
  ['bytes=0-9', 206, '0123456789', 'bytes 0-9/20'],
  ['bytes=0-0', 206, '0', 'bytes 0-0/20'],
  ['bytes=-5', 206, 'fghij', 'bytes 15-19/20'],
  ['bytes=15-', 206, 'fghij', 'bytes 15-19/20'],
  ['bytes=15-999', 206, 'fghij', 'bytes 15-19/20'],
  ['bytes=-999', 206, CONTENT, 'bytes 0-19/20'],
  ['bytes=19-19', 206, 'j', 'bytes 19-19/20'],
  ['bytes=20-', 416, '', 'bytes */20'],
  ['bytes=99-100', 416, '', 'bytes */20'],
  ['bytes=-0', 416, '', 'bytes */20'],
  // Many ranges, or none that can be read: the whole.
  ['bytes=0-1,3-4', 200, CONTENT, null],
  ['bytes=9-5', 200, CONTENT, null],
  ['bytes=-', 200, CONTENT, null],
  ['bytes', 200, CONTENT, null],
  ['lines=0-1', 200, CONTENT, null],
])('Range: %s answers %s', async (range, status, text, contentRange) => {
  const response = await get(file.path, { range });
  expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
    status,
    text,
    contentRange,
  ]);
});

test('a range is given only while the bytes are those the client began with', async () => {
  const range = { range: 'bytes=0-1' };
  expect((await get(file.path, { ...range, 'if-range': `"${file.sha256}"` })).status).toBe(206);
  for (const other of ['"other"', `W/"${file.sha256}"`, new Date().toUTCString()])
    expect((await get(file.path, { ...range, 'if-range': other })).status).toBe(200);
});

test.each([
  [
    'image/png',
    'Café “1”.png',
    `inline; filename="Caf? ?1?.png"; filename*=UTF-8''Caf%C3%A9%20%E2%80%9C1%E2%80%9D.png`,
    SANDBOX,
  ],
  ['application/pdf', 'a.pdf', 'inline; filename=a.pdf', "frame-ancestors 'self'"],
  ['text/html', 'a.html', 'attachment; filename=a.html', SANDBOX],
  ['application/zip', '../../etc/a.zip', 'attachment; filename=a.zip', SANDBOX],
  ['message/rfc822', 'a"\r\nX: y.eml', 'attachment', SANDBOX],
  ['image/svg+xml', 'a.svg', 'attachment; filename=a.svg', SANDBOX],
])('%s named %j is sent as %s', async (mediaType, filename, disposition, policy) => {
  const { path } = await files.save(owner.accountId, of(mediaType, filename));
  const { headers } = await get(path);
  expect(headers.get('content-type')).toBe(mediaType);
  expect(headers.get('content-disposition')?.startsWith(disposition)).toBe(true);
  expect([headers.get('content-security-policy'), headers.get('x')]).toEqual([policy, null]);
});

test('a file whose bytes are gone is not found, and nothing of it is kept by the client', async () => {
  const lost = await files.save(owner.accountId, of('image/png', 'lost.png', 'lost'));
  await blobs.delete(`${owner.accountId}/${lost.sha256}`);
  const response = await get(lost.path, { range: 'bytes=0-1' });
  expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([null, 'no-store']);
  expect(await problemOf(response)).toEqual([404, 'not_found']);
});

test('an empty file is sent as such', async () => {
  const { path } = await files.save(owner.accountId, of('text/plain', 'empty.txt', ''));
  const response = await get(path);
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
    200,
    '0',
    '',
  ]);
});
