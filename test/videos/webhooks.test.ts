import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StoredVideo } from '../../src/videos/video-events.ts';
import { hasOpenssl } from '../platform/guarded-fetch/tls-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFakeRenderer } from '../support/fake-renderer.ts';
import { openWebhooks, type Receiver, startReceiver, verified } from '../webhooks/workshop.ts';
import { ACCOUNT, aborted, ask, asked, endOf, openAccount, openNode, stopNodes } from './render/workshop.ts';

describe.runIf(hasOpenssl())('the webhook of a video', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let webhooks: Awaited<ReturnType<typeof openWebhooks>>;

  beforeAll(async () => {
    database = await openTestDatabase();
    receiver = await startReceiver();
  });
  beforeEach(async () => {
    await database.reset();
    await openAccount(database);
    receiver.reset();
    webhooks = await openWebhooks(database, {
      post: receiver.settings,
      delays: [0, 0],
      present: ({ data, target }) => ({
        ...JSON.parse(JSON.stringify(StoredVideo.parse(data))),
        ...(target && { locale: target.locale, baseUrl: target.baseUrl }),
      }),
    });
  });
  afterEach(async () => {
    await stopNodes();
    await webhooks.close();
  });
  afterAll(async () => {
    await receiver.close();
    await database.close();
  });

  const rows = () =>
    database.sql`select type, status, attempts, outcome from webhook_deliveries order by created_at`;

  test('tells of the end, in a message that the receiver can check', async () => {
    const { videos } = await openNode(database);
    const { id } = await ask(videos, { duration: 1, webhook_url: receiver.urlOf('videos') });
    const video = await endOf(videos, id);
    await expect
      .poll(rows)
      .toEqual([{ type: 'video.completed', status: 'delivered', attempts: 1, outcome: { status: 204 } }]);
    const secret = await webhooks.secrets.ofAccount(ACCOUNT);
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(receiver.heard.map((one) => verified(secret, one))).toEqual([
      {
        type: 'video.completed',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        data: { ...JSON.parse(JSON.stringify(video)), locale: 'en', baseUrl: '' },
      },
    ]);
    expect(receiver.heard[0]?.headers['content-type']).toBe('application/json');
  });

  test('is said in the language and with the address of the caller that asked for the video', async () => {
    const { videos } = await openNode(database);
    const told = { baseUrl: 'https://shop.example', locale: 'es' } as const;
    const request = asked({ duration: 1, webhook_url: receiver.urlOf('videos') });
    const { id } = await videos.create({ accountId: ACCOUNT }, request, told);
    await endOf(videos, id);
    await expect.poll(() => receiver.heard.length).toBe(1);
    expect(JSON.parse(receiver.heard[0]?.body ?? '')).toMatchObject({
      data: { title: 'Summer sale', ...told },
    });
  });

  test('tells of a cancelation and of a failure too', async () => {
    const stages = createFakeRenderer({ paint: ({ signal }) => aborted(signal) });
    const { videos } = await openNode(database, { stages });
    const { id } = await ask(videos, { webhook_url: receiver.urlOf('videos') });
    await videos.cancel(ACCOUNT, id);
    await expect.poll(rows).toMatchObject([{ type: 'video.canceled', status: 'delivered' }]);
    expect(JSON.parse(receiver.heard[0]?.body ?? '')).toMatchObject({ data: { id, status: 'canceled' } });
  });

  test('that is not taken comes again, the same message, until the attempts are used up', async () => {
    receiver.answer = (res) => res.writeHead(500).end();
    const { videos } = await openNode(database);
    await endOf(videos, (await ask(videos, { duration: 1, webhook_url: receiver.urlOf('videos') })).id);
    await expect.poll(rows).toMatchObject([{ status: 'failed', attempts: 3, outcome: { status: 500 } }]);
    expect(new Set(receiver.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.heard.map(({ body }) => body)).size).toBe(1);
  });
});
