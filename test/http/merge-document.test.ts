import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';

let app: ServedApp;
let rest: ReturnType<typeof useRest>;

const MERGE = '/v1/templates/hello/branches/holiday/merge';

beforeAll(async () => {
  app = await openServedApp();
  const { key } = await newBareKey(app);
  rest = useRest(app.url, key);
  const base = { html: '<h1>Hello</h1>\n<p>{{name}}</p>\n<p>Bye</p>\n', subject: 'Hello' };
  await rest('POST', '/v1/templates', { body: { name: 'hello', ...base } });
  await rest('POST', '/v1/templates/hello/branches', { body: { name: 'holiday' } });
  const holiday = { html: base.html.replace('Bye', 'See you'), subject: 'Holidays' };
  await rest('PATCH', '/v1/templates/hello', { body: { branch: 'holiday', ...holiday } });
  await rest('PATCH', '/v1/templates/hello', { body: { subject: 'Morning' } });
});
afterAll(() => app.close());

const dryRun = async (input: object) =>
  (await rest('POST', MERGE, { body: { dry_run: true, ...input } })).body;

test('a dry run shows the merged document if asked: both changes, and ours where they conflict', async () => {
  const plain = await rest('POST', MERGE, { body: { dry_run: true }, headers: { 'idempotency-key': 'one' } });
  expect(plain.status).toBe(200);
  expect(Object.keys(plain.body)).not.toContain('document');
  expect((await dryRun({ include: 'document' }))['document']).toEqual({
    html: '<h1>Hello</h1>\n<p>{{name}}</p>\n<p>See you</p>\n',
    subject: 'Morning',
  });
});

test('with resolutions, it shows what they make of it, and writes nothing', async () => {
  const resolutions = [{ id: 'subject-1', take: 'text', text: 'Good holidays' }];
  const shown = await dryRun({ include: 'document', resolutions });
  expect(shown).toMatchObject({ conflicts: [], created: false, document: { subject: 'Good holidays' } });
  const { body } = await rest('GET', '/v1/templates/hello/versions?branch=main');
  expect(body['items']).toHaveLength(2);
});
