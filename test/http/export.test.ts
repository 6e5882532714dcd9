import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { productRegistry } from '../../tools/index.ts';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { silentLog } from '../support/app.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey, useRest } from '../support/server.ts';

let app: ServedApp;
let key: string;

beforeAll(async () => {
  app = await openServedApp();
  await app.jobs.start({ run: createRunJob({ app, registry: productRegistry(), log: silentLog }) });
  ({ key } = await newKey(app));
});
afterAll(() => app.close());

const RECEIPT = { template: 'receipt', format: 'text', fixture: 'sample' };

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

describe('POST /v1/export', () => {
  test.each([
    ['en', { format: 'pdf', options: { page_ranges: 'all' } }, 'options.page_ranges: must be pages'],
    ['es', { format: 'pdf', options: { page_ranges: 'all' } }, 'options.page_ranges: deben ser páginas'],
    ['es', { format: 'pdf', options: { margin: 'wide' } }, 'options.margin: debe ser una longitud'],
    ['es', { format: 'pdf', options: { margin: { top: 5 } } }, 'options.margin: debe ser una longitud'],
  ])('says in %s what a field of %j must be', async (language, wrong, said) => {
    const response = await post('/v1/export', { ...RECEIPT, ...wrong }, { 'accept-language': language });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(said) });
  });

  test.each([
    ['curl', '*/*'],
    ['a client that wants a PDF', 'application/pdf'],
  ])('answers %s with the bytes', async (_who, accept) => {
    const response = await post('/v1/export', { ...RECEIPT, format: 'pdf' }, { accept });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=receipt.pdf');
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  test('says in a header by their codes what the JSON would have warned of', async () => {
    const rest = useRest(app.url, key);
    const html = '<p><img src="http://127.0.0.1/a.png" alt="a"></p>';
    await rest('POST', '/v1/templates', { body: { name: 'warned', html } });
    const input = { template: 'warned', format: 'pdf' };
    const response = await post('/v1/export', input);
    expect([response.status, response.headers.get('x-warnings')]).toEqual([200, 'resource_blocked']);
    const json = await rest('POST', '/v1/export', { body: input, headers: { accept: 'application/json' } });
    expect(json.body['warnings']).toEqual([expect.objectContaining({ code: 'resource_blocked' })]);
    expect((await post('/v1/export', RECEIPT)).headers.get('x-warnings')).toBeNull();
  });

  test('answers a client that wants JSON with a link, which works without a key', async () => {
    const answer = await useRest(app.url, key)('POST', '/v1/export', {
      body: RECEIPT,
      headers: { accept: 'application/json' },
    });
    const { url, bytes, sha256 } = answer.body as { url: string; bytes: number; sha256: string };
    expect(url.startsWith(`${app.url}/v1/files/file_`)).toBe(true);
    const file = await fetch(url);
    expect(file.headers.get('etag')).toBe(`"${sha256}"`);
    expect((await file.arrayBuffer()).byteLength).toBe(bytes);
    const part = await fetch(url, { headers: { range: 'bytes=0-9' } });
    expect([part.status, (await part.text()).length]).toEqual([206, 10]);
    const wrong = url.replace(/token=(.)/, (_, first) => `token=${first === 'A' ? 'B' : 'A'}`);
    expect((await fetch(wrong)).status).toBe(404);
  });

  test('tells of each step as events, and ends with the answer', async () => {
    const response = await post('/v1/export', RECEIPT, { accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = await response.text();
    expect(events).toMatch(/event: done\ndata: \{"url":"http/);
  });

  test('keeps the status of what fails before there is an event', async () => {
    const response = await post(
      '/v1/export',
      { ...RECEIPT, template: 'nobody' },
      { accept: 'text/event-stream' },
    );
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });

  test('answers a job at once when asked, and the job ends with a link', async () => {
    const rest = useRest(app.url, key);
    const accepted = await rest('POST', '/v1/export', {
      body: RECEIPT,
      headers: { prefer: 'respond-async' },
    });
    expect(accepted.status).toBe(202);
    const path = accepted.headers.get('location')?.replace(app.url, '') ?? '';
    const events = await (
      await fetch(`${app.url}${path}/events`, { headers: { authorization: `Bearer ${key}` } })
    ).text();
    expect(events).toContain('event: completed');
    const job = await rest('GET', path);
    expect(job.body).toMatchObject({ status: 'completed', result: { filename: 'receipt.txt' } });
    const { url } = job.body['result'] as { url: string };
    expect((await fetch(url)).status).toBe(200);
  });
});
