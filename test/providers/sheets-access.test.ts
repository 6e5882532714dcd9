import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createGoogleSheets } from '../../src/providers/sheets/sheets.ts';
import { parseSpreadsheetId } from '../../src/sync/ports/sheet-client.ts';
import { openWorkshop, readAll, signal, TOKENS } from './sheets-workshop.ts';

const SHEET1 = { title: 'Sheet1', id: 0 };
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const { privateKey: strangersKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const robot = { client_email: 'robot@shop.iam.gserviceaccount.com', private_key: privateKey };
const robotPeer = { tokens: { serviceAccount: { client_email: robot.client_email, key: privateKey } } };

describe('an access token', () => {
  test('that has expired is renewed automatically, and its keeper is notified', async () => {
    const { client, emulator, renewed, clock } = await openWorkshop();
    emulator.tokens.expire();
    expect((await readAll(client, SHEET1, signal)).rows).toEqual([]);
    expect(renewed).toEqual([{ accessToken: 'ya29.test-1', expiresAt: expect.any(Date) }]);
    expect(Number(renewed[0]?.expiresAt) - clock.now()).toBeGreaterThan(3_500_000);
    expect(client.calls()).toEqual({ reads: 2, writes: 0 });
  });

  test('is renewed before its time is over, without a refused call', async () => {
    const { client, emulator, renewed, clock } = await openWorkshop({
      peer: { tokens: { lifetimeSeconds: 600 } },
    });
    emulator.tokens.expire();
    await client.read(SHEET1, signal);
    clock.pass(599_000);
    await client.read(SHEET1, signal);
    expect(renewed.map(({ accessToken }) => accessToken)).toEqual(['ya29.test-1', 'ya29.test-2']);
    expect(client.calls()).toEqual({ reads: 3, writes: 0 });
  });

  test('is renewed with the client of the server where the sheet names none', async () => {
    const { accessToken, refreshToken } = TOKENS;
    const { client, emulator } = await openWorkshop({
      credentials: { accessToken, refreshToken },
      adapter: { clientId: 'client', clientSecret: 'secret' },
    });
    emulator.tokens.expire();
    expect((await readAll(client, SHEET1, signal)).rows).toEqual([]);
  });

  test.each([
    ['there is no refresh token', { accessToken: 'ya29.test' }],
    ['there is no client', { accessToken: 'ya29.test', refreshToken: '1//test' }],
    ['the client is another', { ...TOKENS, clientId: 'another' }],
    ['the refresh token is another', { ...TOKENS, refreshToken: '1//another' }],
  ])('that is spent is refused where %s', async (_case, credentials) => {
    const { client, emulator } = await openWorkshop({ credentials });
    emulator.tokens.expire();
    await expect(client.read(SHEET1, signal)).rejects.toMatchObject({ key: 'sheet_unauthorized.token' });
  });

  test('that was revoked is refused, without trying again', async () => {
    const { client, emulator, clock } = await openWorkshop();
    emulator.tokens.revoke();
    await expect(
      client.write(SHEET1, [{ row: 1, column: 0, values: ['x'] }], { key: 'k', signal }),
    ).rejects.toMatchObject({
      key: 'sheet_unauthorized.token',
    });
    expect(clock.slept).toEqual([]);
  });

  test('of somebody who may not open the spreadsheet is refused', async () => {
    const { client, book } = await openWorkshop();
    book.forbid();
    await expect(client.describe(signal)).rejects.toMatchObject({ key: 'sheet_forbidden.not_shared' });
    expect(client.calls()).toEqual({ reads: 1, writes: 0 });
  });
});

describe('each refusal says what to do', () => {
  const write = { key: 'k', signal };
  const cell = [{ row: 2, column: 1, values: ['x'] }];

  test('an account that may only look reads, and is told so when it writes', async () => {
    const { client, book } = await openWorkshop();
    book.shareToView();
    expect((await readAll(client, SHEET1, signal)).rows).toEqual([]);
    for (const edit of [() => client.write(SHEET1, cell, write), () => client.requireEditor(signal)])
      await expect(edit()).rejects.toMatchObject({ key: 'sheet_forbidden.viewer' });
    book.shareToView(false);
    await client.requireEditor(signal);
    expect(book.rows('Sheet1')).toEqual([]);
  });

  test('an API that is turned off', async () => {
    const { client, emulator, clock } = await openWorkshop();
    emulator.disableApi();
    await expect(client.read(SHEET1, signal)).rejects.toMatchObject({ key: 'sheet_forbidden.api_disabled' });
    expect(clock.slept).toEqual([]);
  });

  test('a protected cell, without trying again', async () => {
    const { client, book } = await openWorkshop();
    book.protect('Sheet1', 'B2:B3');
    await expect(client.write(SHEET1, cell, write)).rejects.toMatchObject({ key: 'sheet_refused.protected' });
    expect(client.calls().writes).toBe(1);
    await client.write(SHEET1, [{ row: 4, column: 1, values: ['x'] }], write);
    expect(book.cell('Sheet1', 'B4')).toBe('x');
  });

  test('a rate limit that comes with 403 is waited for', async () => {
    const { client, emulator, clock } = await openWorkshop();
    emulator.troubles.plan('rate_403');
    expect((await readAll(client, SHEET1, signal)).rows).toEqual([]);
    expect(clock.slept).toHaveLength(1);
  });

  test('a token without the scope', async () => {
    const body = {
      error: {
        code: 403,
        message: 'Request had insufficient authentication scopes.',
        status: 'PERMISSION_DENIED',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' },
        ],
      },
    };
    const { client } = await openWorkshop({
      adapter: { fetch: async () => Response.json(body, { status: 403 }) },
    });
    await expect(client.read(SHEET1, signal)).rejects.toMatchObject({ key: 'sheet_unauthorized.scopes' });
  });
});

describe('a token endpoint', () => {
  const failing = (times: number, answer: () => Response) => {
    let failures = 0;
    return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const isGrant = new URL(String(input)).pathname === '/token';
      if (!isGrant || failures === times) return fetch(input, init);
      failures += 1;
      return answer();
    };
  };

  test.each([
    ['fails', () => new Response('', { status: 503 })],
    ['answers a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ])('that %s is asked again as patiently as the service itself', async (_case, answer) => {
    const { client, emulator, clock } = await openWorkshop({ adapter: { fetch: failing(3, answer) } });
    emulator.tokens.expire();
    expect((await readAll(client, SHEET1, signal)).rows).toEqual([]);
    expect(clock.slept).toEqual([500, 1_000, 2_000]);
  });

  test('that keeps failing is a service that does not answer', async () => {
    const fetch = failing(100, () => new Response('', { status: 500 }));
    const { client } = await openWorkshop({
      adapter: { fetch },
      credentials: { serviceAccount: robot },
      peer: robotPeer,
    });
    await expect(client.read(SHEET1, signal)).rejects.toMatchObject({ key: 'sheet_unavailable.no_answer' });
  });
});

describe('a service account', () => {
  test('opens the spreadsheet with a token made by its key', async () => {
    const { client, renewed } = await openWorkshop({
      credentials: { serviceAccount: robot },
      peer: robotPeer,
    });
    expect((await readAll(client, SHEET1, signal)).rows).toEqual([]);
    expect(renewed).toHaveLength(1);
    expect(client.calls()).toEqual({ reads: 1, writes: 0 });
  });

  test('makes another when that is spent', async () => {
    const { client, emulator, renewed } = await openWorkshop({
      credentials: { serviceAccount: robot },
      peer: robotPeer,
    });
    await client.read(SHEET1, signal);
    emulator.tokens.expire();
    await client.read(SHEET1, signal);
    expect(renewed.map(({ accessToken }) => accessToken)).toEqual(['ya29.test-1', 'ya29.test-2']);
  });

  test.each([
    ['another', strangersKey],
    ['none', 'not a key'],
  ])('whose key is %s is refused', async (_case, key) => {
    const serviceAccount = { ...robot, private_key: key };
    const { client } = await openWorkshop({ credentials: { serviceAccount }, peer: robotPeer });
    await expect(client.read(SHEET1, signal)).rejects.toMatchObject({ key: 'sheet_unauthorized.token' });
    expect(client.calls()).toEqual({ reads: 0, writes: 0 });
  });
});

describe('no error has a credential in it', () => {
  const secrets = ['ya29.test', '1//test', 'client-secret-of-ours', privateKey.split('\n')[1] ?? ''];
  const tokens = { ...TOKENS, clientSecret: 'client-secret-of-ours' };
  const noSecretIn = (error: unknown) => {
    const all = inspect(error, { depth: Infinity, showHidden: true });
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  };

  test.each(['drop_before', 429, 503] as const)('when the service fails: %s', async (trouble) => {
    const { client, emulator } = await openWorkshop();
    emulator.troubles.plan(...Array.from({ length: 20 }, () => trouble));
    const error = await client.read(SHEET1, signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ key: 'sheet_unavailable.no_answer' });
    noSecretIn(error);
  });

  test('when tokens are refused', async () => {
    for (const credentials of [tokens, { serviceAccount: robot }, { accessToken: 'ya29.test' }]) {
      const { client, emulator } = await openWorkshop({ credentials });
      emulator.tokens.revoke();
      const error = await client.read(SHEET1, signal).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ key: 'sheet_unauthorized.token' });
      noSecretIn(error);
    }
  });

  test('when the request is refused, and the refusal repeats it', async () => {
    const { open } = await openWorkshop({
      credentials: tokens,
      adapter: {
        fetch: async (_input, init) =>
          Response.json(
            {
              error: { code: 400, message: `Bad header ${new Headers(init?.headers).get('authorization')}` },
            },
            { status: 400 },
          ),
      },
    });
    const error = await (await open()).describe(signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      key: 'sheet_refused.request',
      params: { reason: 'Bad header Bearer ***' },
    });
    noSecretIn(error);
  });

  test('when no server listens at all', async () => {
    const { open } = createGoogleSheets({
      baseUrl: 'http://127.0.0.1:1',
      clock: { now: Date.now, sleep: async () => undefined },
    });
    const client = await open({ spreadsheetId: 'book', credentials: tokens, accountId: 'account' });
    const error = await client.describe(signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ key: 'sheet_unavailable.no_answer' });
    noSecretIn(error);
  });
});

describe('the id of a spreadsheet', () => {
  test.each([
    ['1aB_c-D', '1aB_c-D'],
    ['  demo ', 'demo'],
    ['https://docs.google.com/spreadsheets/d/1aB_c-D/edit?gid=0#gid=0', '1aB_c-D'],
    ['https://docs.google.com/spreadsheets/d/1aB_c-D', '1aB_c-D'],
    ['https://docs.google.com/spreadsheets/u/1/d/1aB_c-D/edit', '1aB_c-D'],
    ['https://docs.google.com/a/shop.example/spreadsheets/d/1aB_c-D/edit', '1aB_c-D'],
  ])('%s is %s', (text, id) => {
    expect(parseSpreadsheetId(text)).toBe(id);
  });

  test.each([
    '',
    '../elsewhere',
    'a b',
    'https://docs.google.com.evil.example/spreadsheets/d/1aB/edit',
    'http://docs.google.com/spreadsheets/d/1aB/edit',
    'https://docs.google.com/document/d/1aB/edit',
    'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pubhtml',
    'x'.repeat(201),
  ])('there is none in %s', (text) => {
    expect(parseSpreadsheetId(text)).toBeUndefined();
  });
});
