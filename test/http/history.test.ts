import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeGeneration } from '../hooks/stored-generation.ts';
import { givePlan } from '../support/plans.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';

let app: ServedApp;
let accountId: string;
let key: string;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ accountId, key } = await newBareKey(app));
  rest = useRest(app.url, key);
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } });

test('a new account has an empty history', async () => {
  expect(await rest('GET', '/api/v1/history')).toMatchObject({
    status: 200,
    body: { items: [], next_cursor: null, limited_to: 20 },
  });
});

test('the view of the client: topic, platform and date, found by topic, page by page', async () => {
  for (const topic of ['Bread', 'Lease', 'bread again']) await storeGeneration(app, accountId, { topic });
  const first = await rest('GET', '/api/v1/history?q=BREAD&limit=1&platform=tiktok');
  expect(first.body).toMatchObject({
    items: [{ topic: 'bread again', platform: 'tiktok', date: expect.stringMatching(/^20/) }],
    next_cursor: expect.any(String),
  });
  const next = await rest('GET', `/api/v1/history?q=BREAD&limit=1&cursor=${first.body['next_cursor']}`);
  expect((next.body['items'] as { topic: string }[]).map(({ topic }) => topic)).toEqual(['Bread']);
  expect(next.body['next_cursor']).toBeNull();
});

test.each(['?cursor=nonsense', '?limit=0', '?limit=201', '?platform=myspace', '?unknown=1'])(
  'GET /api/v1/history%s is refused',
  async (query) => {
    expect((await rest('GET', `/api/v1/history${query}`)).status).toBe(422);
  },
);

describe('the download of one generation', () => {
  test('is plain text with every plan', async () => {
    const id = await storeGeneration(app, accountId, { topic: 'Pan de casa' });
    const file = await get(`/api/v1/history/${id}/download`);
    expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'attachment; filename=pan-de-casa.txt',
    ]);
    expect(await file.text()).toMatch(
      /^Pan de casa\n.*UTC · tiktok · en · provider_a\n\n1\. One hook\. \(curiosity\)\n$/,
    );
  });

  test('is csv and json with a paid one', async () => {
    const id = await storeGeneration(app, accountId, { topic: 'Pan' });
    for (const format of ['csv', 'json']) {
      const { status, body } = await rest('GET', `/api/v1/history/${id}/download?format=${format}`);
      expect([status, body['code']]).toEqual([403, 'plan_required']);
    }
    await givePlan(app, accountId, 'pro');
    const csv = await get(`/api/v1/history/${id}/download?format=csv`);
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename=pan.csv');
    const json = await rest('GET', `/api/v1/history/${id}/download?format=json`);
    expect(json.body).toMatchObject({ generations: [{ id }] });
    expect((await rest('GET', `/api/v1/history/${id}/download?format=xls`)).status).toBe(422);
    expect((await rest('GET', '/api/v1/history/gen_nobody/download?format=csv')).status).toBe(404);
  });
});

describe('the export of all', () => {
  test('is csv in UTF-8 with its mark, for a paid plan', async () => {
    await storeGeneration(app, accountId, { topic: '¿Pan?', hooks: [['=1+1', 'question']] });
    const { status, body } = await rest('GET', '/api/v1/history/export');
    expect([status, body['code'], body['detail']]).toEqual([
      403,
      'plan_required',
      'Your plan does not include export; it requires the pro plan. Upgrade on /billing.',
    ]);
    await givePlan(app, accountId, 'pro');
    const file = await get('/api/v1/history/export?format=csv');
    expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      expect.stringMatching(/^attachment; filename=hooks-20\d\d-\d\d-\d\d\.csv$/),
    ]);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.toString().split('\r\n')[1]).toMatch(
      /^20[^,]+,¿Pan\?,tiktok,en,provider_a,m-1,gen_\w+,0,'=1\+1,question,/,
    );
  });

  test('is a link for a client that asks for JSON', async () => {
    await givePlan(app, accountId, 'pro');
    const { body } = await rest('GET', '/api/v1/history/export?format=txt', {
      headers: { accept: 'application/json' },
    });
    expect(body).toMatchObject({ media_type: 'text/plain; charset=utf-8', bytes: 0 });
    expect((await fetch(String(body['url']))).status).toBe(200);
  });
});

test('feedback goes by the place of a hook, and answers 404 where there is none', async () => {
  const id = await storeGeneration(app, accountId, { topic: 'Pan' });
  const path = (index: number | string) => `/api/v1/generations/${id}/hooks/${index}/feedback`;
  expect(await rest('POST', path(0), { body: { copied: true } })).toMatchObject({
    status: 200,
    body: { generation_id: id, index: 0, copied: true, used: null },
  });
  expect((await rest('POST', path(1), { body: { copied: true } })).status).toBe(404);
  expect((await rest('POST', path('first'), { body: { copied: true } })).status).toBe(422);
  expect((await rest('POST', path(99_999), { body: {} })).status).toBe(422);
  expect((await rest('POST', path(0), { body: { metric: -1 } })).status).toBe(422);
  const spanish = await rest('POST', path(1), { body: {}, headers: { 'accept-language': 'es' } });
  expect(spanish.body['detail']).toBe(
    `La generación ${id} no tiene el hook 1. Los índices empiezan en 0; consulta sus hooks con GET /api/v1/history/${id}.`,
  );
});

test('brand voices: saved, replaced by id, listed and deleted', async () => {
  await givePlan(app, accountId, 'pro');
  const saved = await rest('POST', '/api/v1/brand-voices', { body: { name: 'Mill', do: 'Be dry' } });
  expect([saved.status, saved.body['created']]).toEqual([201, true]);
  const again = await rest('POST', '/api/v1/brand-voices', { body: { name: 'Mill', do: 'Be dry' } });
  expect([again.status, again.body['created']]).toEqual([200, false]);
  const path = `/api/v1/brand-voices/${saved.body['id']}`;
  expect((await rest('PUT', path, { body: { name: 'Old Mill' } })).body).toMatchObject({ do: '' });
  expect((await rest('GET', '/api/v1/brand-voices')).body).toMatchObject({ items: [{ name: 'Old Mill' }] });
  expect((await rest('DELETE', path)).body).toEqual({ deleted: true });
  expect((await rest('DELETE', path)).status).toBe(404);
});
