import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountExport, exportPages } from '../../../src/identity/accounts/account-export.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { newKey, useRest } from '../../support/server.ts';

let app: ServedApp;

beforeAll(async () => {
  app = await openServedApp();
});
afterAll(() => app.close());

test('an export is one JSON document of everything the account has, without a secret', async () => {
  const { accountId, key } = await newKey(app);
  const rest = useRest(app.url, key);
  await rest('POST', '/v1/templates', { body: { name: 'mine', html: '<p>x</p>' } });
  const answer = await rest('GET', '/api/v1/user/export');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(/filename=account-\d{4}-\d\d-\d\d\.json/);
  expect(answer.body).toMatchObject({
    format: 'stallhand-account',
    version: 1,
    account: { id: accountId, name: 'test' },
    members: [],
    api_keys: [{ name: 'test', masked: expect.stringMatching(/^sh_live_.{4}…/) }],
    templates: expect.arrayContaining([expect.objectContaining({ name: 'mine' })]),
    audit: expect.arrayContaining([expect.objectContaining({ target: 'mine' })]),
  });
  const text = JSON.stringify(answer.body);
  expect(text).not.toContain(key);
  expect(text).not.toMatch(/secret|sha256|password_hash/);
});

test('lists of many pages are in it whole, and one that is too large says where else to go', async () => {
  const rows = Array.from({ length: 450 }, (_, id) => ({ id }));
  const paged = exportPages('things', async (_accountId, { limit, cursor = '0' }) => {
    const next = Number(cursor) + limit;
    return {
      items: rows.slice(Number(cursor), next),
      next_cursor: next < rows.length ? String(next) : null,
    };
  });
  const find = async (id: string) => ({ id, name: 'Bakery' });
  const now = () => Date.parse('2026-11-21T12:00:00Z');
  const file = await createAccountExport({ find, exporters: [paged], now }).export('acc_1');
  expect(file.filename).toBe('account-2026-11-21.json');
  expect(JSON.parse(Buffer.from(file.bytes).toString())).toEqual({
    format: 'stallhand-account',
    version: 1,
    exported_at: '2026-11-21T12:00:00.000Z',
    account: { id: 'acc_1', name: 'Bakery' },
    things: rows,
  });
  const endless = {
    name: 'endless',
    async *read() {
      for (;;) yield { text: 'x'.repeat(1024 * 1024) };
    },
  };
  await expect(createAccountExport({ find, exporters: [endless] }).export('acc_1')).rejects.toMatchObject({
    key: 'too_large.export',
  });
});
