import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createGuardedPost,
  type GuardedPostSettings,
} from '../../src/platform/guarded-fetch/guarded-post.ts';
import { claimDueWebhooks } from '../../src/videos/webhooks/webhook-repo.ts';
import { hasOpenssl, startTlsServer, type TlsServer } from '../platform/guarded-fetch/tls-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFakeRenderer } from '../support/fake-renderer.ts';
import { ACCOUNT, aborted, ask, asked, endOf, openAccount, openNode, stopNodes } from './render/workshop.ts';

type Heard = { readonly headers: IncomingMessage['headers']; readonly body: string };

const VIDEO = {
  ...{ id: 'vid_1', title: 'a', duration: 1, template: 'default', status: 'canceled', format: 'mp4' },
  ...{ quality: 'draft', width: 64, height: 64, fps: 30, frames: { done: 0, total: 30 }, etaSeconds: null },
  ...{ error: null, attempt: 1, revision: 2, engine: null, sizeBytes: null, hasPoster: false },
  ...{ hasCaptions: false, createdAt: '2026-01-01T00:00:00Z', startedAt: null, endedAt: null },
};

describe.runIf(hasOpenssl())('a webhook', () => {
  let database: TestDatabase;
  let server: TlsServer;
  let answer: (res: ServerResponse) => void;
  let heard: Heard[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    server = await startTlsServer(async (req, res) => {
      heard.push({ headers: req.headers, body: await text(req) });
      answer(res);
    });
  });
  beforeEach(async () => {
    await database.reset();
    await openAccount(database);
    heard = [];
    answer = (res) => res.writeHead(204).end();
  });
  afterEach(stopNodes);
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  /** Every name leads to the peer, which alone may be connected to. */
  const settings = (): GuardedPostSettings => ({
    ca: server.ca,
    isAllowed: (address, port) => address === '127.0.0.1' && port === server.port,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const url = () => `https://hooks.example.test:${server.port}/videos`;
  const open = (more: object = {}) =>
    openNode(database, { post: createGuardedPost(settings()), pauses: [0, 0, 0, 0], ...more });
  const rows = () =>
    database.sql`select type, status, tries, outcome from video_webhooks order by created_at`;

  test('of many that are due, those of another account do not wait for all of the first one', async () => {
    const other = await openAccount(database, 'acc_other');
    const { sql } = database;
    await sql`
      insert into video_webhooks (id, account_id, video_id, type, video, target, next_at)
      select 'msg_' || nth, case when nth = 50 then ${other} else ${ACCOUNT} end, 'vid_' || nth, 'video.canceled',
        ${sql.json(VIDEO)}, ${sql.json({ url: 'https://a.test/', locale: 'en', baseUrl: '' })},
        now() - make_interval(secs => 100 - nth)
      from generate_series(1, 50) nth`;
    const ids = async () => (await claimDueWebhooks(sql, 3, 30)).map(({ id }) => id).sort();
    expect([await ids(), await ids()]).toEqual([
      ['msg_1', 'msg_2', 'msg_50'],
      ['msg_3', 'msg_4', 'msg_5'],
    ]);
  });

  test('tells of the end, in a message that the receiver can check', async () => {
    const { videos } = await open();
    const { id } = await ask(videos, { duration: 1, webhook_url: url() });
    const video = await endOf(videos, id);
    await expect
      .poll(rows)
      .toEqual([{ type: 'video.completed', status: 'delivered', tries: 1, outcome: { status: 204 } }]);
    const [{ headers, body } = { headers: {}, body: '' }] = heard;
    const secret = await videos.webhookSecret(ACCOUNT);
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const signed = { ...headers } as Record<string, string>;
    expect(new Webhook(secret).verify(body, signed)).toEqual({
      type: 'video.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      data: JSON.parse(JSON.stringify(video)),
    });
    expect(() => new Webhook(secret).verify(body.replace('Summer', 'Winter'), signed)).toThrow();
    expect(headers['content-type']).toBe('application/json');
  });

  test('is said in the language and with the address of the caller that asked for the video', async () => {
    const node = await openNode(database, { post: createGuardedPost(settings()), working: false });
    const told = { baseUrl: 'https://shop.example', locale: 'es' } as const;
    const { id } = await node.videos.create({ accountId: ACCOUNT }, asked({ webhook_url: url() }), told);
    await node.videos.start({ present: ({ title }, { baseUrl, locale }) => ({ title, baseUrl, locale }) });
    await endOf(node.videos, id);
    await expect.poll(() => heard.length).toBe(1);
    expect(JSON.parse(heard[0]?.body ?? '').data).toEqual({ title: 'Summer sale', ...told });
  });

  test('tells of a cancelation and of a failure too', async () => {
    const { videos } = await open({ stages: createFakeRenderer({ paint: ({ signal }) => aborted(signal) }) });
    const { id } = await ask(videos, { webhook_url: url() });
    await videos.cancel(ACCOUNT, id);
    await expect.poll(rows).toMatchObject([{ type: 'video.canceled', status: 'delivered' }]);
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({ data: { id, status: 'canceled' } });
  });

  test('that is not taken comes again, the same message, five times at most', async () => {
    answer = (res) => res.writeHead(500).end();
    const { videos } = await open();
    await endOf(videos, (await ask(videos, { duration: 1, webhook_url: url() })).id);
    await expect.poll(rows).toMatchObject([{ status: 'failed', tries: 5, outcome: { status: 500 } }]);
    expect(heard).toHaveLength(5);
    expect(new Set(heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(heard.map(({ body }) => body)).size).toBe(1);
  });

  test('waits longer after each try', async () => {
    answer = (res) => res.writeHead(503).end();
    const { videos } = await open({ pauses: [3_600] });
    await endOf(videos, (await ask(videos, { duration: 1, webhook_url: url() })).id);
    await expect.poll(rows).toMatchObject([{ status: 'waiting', tries: 1, outcome: { status: 503 } }]);
    await videos.work();
    expect(heard).toHaveLength(1);
  });

  test('goes nowhere that an answer leads', async () => {
    answer = (res) => res.writeHead(302, { location: 'https://hooks.example.test/else' }).end();
    const { videos } = await open({ pauses: [] });
    await endOf(videos, (await ask(videos, { duration: 1, webhook_url: url() })).id);
    await expect.poll(rows).toMatchObject([{ status: 'failed', tries: 1, outcome: { status: 302 } }]);
    expect(heard).toHaveLength(1);
  });

  test.each([
    ['https://127.0.0.1/', 'not_public'],
    ['https://[::1]/', 'not_public'],
    ['https://10.0.0.8:8443/', 'not_public'],
    ['https://169.254.169.254/latest/meta-data', 'not_public'],
    ['https://example.com:8443/', 'not_public'],
    ['http://example.com/', 'not_https'],
    ['https://user:word@example.com/', 'credentials'],
    ['nothing', 'address_unusable'],
  ])('to %s is refused: %s', async (address, reason) => {
    const lookup = async () => [{ address: '93.184.216.34', family: 4 }];
    const post = createGuardedPost({ lookup })(
      address,
      { body: '{}', headers: {} },
      AbortSignal.timeout(5_000),
    );
    await expect(post).rejects.toMatchObject({ reason });
    expect(heard).toEqual([]);
  });

  test('to one that takes it and never answers is given up in time', async () => {
    answer = () => {};
    const post = createGuardedPost({ ...settings(), maxMs: 50 });
    await expect(
      post(url(), { body: '{}', headers: {} }, new AbortController().signal),
    ).rejects.toMatchObject({ reason: 'too_slow' });
  });
});
