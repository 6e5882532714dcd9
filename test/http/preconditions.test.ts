import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { givePlan } from '../support/plans.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';

const PROFILE = '/api/v1/user/profile';
const VOICES = '/api/v1/brand-voices';

let app: ServedApp;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const { accountId, key } = await newBareKey(app);
  await givePlan(app, accountId, 'pro');
  rest = useRest(app.url, key);
});

/** A write that holds only for what was read. */
const write = (method: string, path: string, tag: string | null, body?: object) =>
  rest(method, path, { headers: { 'if-match': tag ?? '' }, ...(body && { body }) });

const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag');
const stale = { status: 412, body: { code: 'precondition_failed' } };

test('the profile has an entity tag, and is changed only by who has read what it is now', async () => {
  const read = await rest('GET', PROFILE);
  expect(tagOf(read)).toMatch(/^"[\w-]{43}"$/);
  expect((await rest('GET', PROFILE, { headers: { 'if-none-match': tagOf(read) ?? '' } })).status).toBe(304);
  expect(await write('PATCH', PROFILE, '"stale"', { name: 'Other' })).toMatchObject(stale);
  const changed = await write('PATCH', PROFILE, tagOf(read), { name: 'Bakery Sol' });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Bakery Sol' } });
  expect(await write('PATCH', PROFILE, tagOf(read), { name: 'Other' })).toMatchObject(stale);
  expect(tagOf(await rest('GET', PROFILE))).toBe(tagOf(changed));
});

test('of two who change the profile they have both read, one is told that it has changed', async () => {
  const tag = tagOf(await rest('GET', PROFILE));
  const answers = await Promise.all(['Sol', 'Luna'].map((name) => write('PATCH', PROFILE, tag, { name })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
});

test('a brand voice is replaced and deleted only by who knows what it is now', async () => {
  const made = await rest('POST', VOICES, { body: { name: 'Mill', do: 'Be dry' } });
  const path = `${VOICES}/${made.body['id']}`;
  const loud = { name: 'Mill', do: 'Be loud' };
  const changed = await write('PUT', path, tagOf(made), loud);
  expect(changed.status).toBe(200);
  for (const [method, at, body] of [
    ['PUT', path, loud],
    ['POST', VOICES, loud],
    ['DELETE', path, undefined],
  ] as const)
    expect(await write(method, at, tagOf(made), body)).toMatchObject(stale);
  expect(await write('POST', VOICES, '"any"', { name: 'Bakery' })).toMatchObject(stale);
  const again = await write('POST', VOICES, tagOf(changed), { ...loud, avoid: 'Jokes' });
  expect(again.status).toBe(200);
  expect((await write('DELETE', path, tagOf(again))).status).toBe(200);
});
