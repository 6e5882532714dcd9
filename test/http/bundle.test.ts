import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { productRegistry } from '../../tools/index.ts';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { silentLog } from '../support/app.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';

let app: ServedApp;
let key: string;
let accountId: string;
let left: readonly string[];

beforeAll(async () => {
  left = await temporaryFiles();
  app = await openServedApp();
  ({ key, accountId } = await newBareKey(app));
  await useRest(app.url, key)('POST', '/v1/templates', { body: { name: 'offer', html: '<p>Hi</p>' } });
  await app.jobs.start({ run: createRunJob({ app, registry: productRegistry(), log: silentLog }) });
});
afterAll(() => app.close());

const bearer = (as: string) => ({ authorization: `Bearer ${as}` });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

async function temporaryFiles(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('stallhand-file-'));
}

test('a bundle can be asked for as a job, whose link has the same bytes as the answer at once', async () => {
  const atOnce = await fetch(`${app.url}/v1/bundle`, { headers: bearer(key) });
  expect(atOnce.headers.get('content-type')).toBe('application/zip');
  const bundle = await bytesOf(atOnce);
  expect(atOnce.headers.get('content-length')).toBe(String(bundle.length));

  const rest = useRest(app.url, key);
  const accepted = await rest('GET', '/v1/bundle', { headers: { prefer: 'respond-async' } });
  expect(accepted.status).toBe(202);
  const path = accepted.headers.get('location') ?? '';
  await expect.poll(async () => (await rest('GET', path)).body['status']).toBe('completed');
  const { body } = await rest('GET', path);
  expect(body['progress']).toMatchObject({ done: 1, total: 1 });
  expect(body['result']).toMatchObject({ filename: 'stallhand-bundle.zip', bytes: bundle.length });
  const { url } = body['result'] as { url: string };
  expect((await bytesOf(await fetch(url))).equals(bundle)).toBe(true);
  const part = await fetch(url, { headers: { range: 'bytes=0-3' } });
  expect((await bytesOf(part)).toString('latin1')).toBe('PK\u0003\u0004');
});

test('the link is for who has it whole: without its token, another account finds nothing', async () => {
  const { body } = await useRest(app.url, key)('GET', '/v1/bundle', {
    headers: { accept: 'application/json' },
  });
  const url = new URL(String(body['url']));
  const stranger = await newBareKey(app);
  expect((await fetch(url, { headers: bearer(stranger.key) })).status).toBe(200);
  url.searchParams.set('token', 'x'.repeat(43));
  expect((await fetch(url)).status).toBe(404);
  url.searchParams.delete('token');
  expect((await fetch(url)).status).toBe(401);
  expect((await fetch(url, { headers: bearer(stranger.key) })).status).toBe(404);
  expect((await fetch(url, { headers: bearer(key) })).status).toBe(200);
});

test('a key that may not read templates gets no bundle and no job', async () => {
  const { key: weak } = await app.keys.create(accountId, 'weak', ['hooks:read'], null);
  for (const headers of [{}, { prefer: 'respond-async' }]) {
    const answer = await useRest(app.url, weak)('GET', '/v1/bundle', { headers });
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  }
});

test('nothing of a bundle stays in the temporary folder, also after a failed one', async () => {
  const answer = await fetch(`${app.url}/v1/bundle?templates=offer,nobody`, { headers: bearer(key) });
  expect(answer.status).toBe(404);
  await fetch(`${app.url}/v1/import`, {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/zip' },
    body: 'PK\u0003\u0004 and nothing more',
  });
  expect((await temporaryFiles()).filter((name) => !left.includes(name))).toEqual([]);
});
