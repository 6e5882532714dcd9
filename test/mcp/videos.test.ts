import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { withFakeVideos } from '../support/fake-videos.ts';
import { newBareKey, startTestServer, type TestServer } from '../support/server.ts';
import { HTTP_CLIENTS, outputOf } from './support/clients.ts';

let app: TestApp;
let fakeVideos: Awaited<ReturnType<typeof withFakeVideos>>;
let server: TestServer;

beforeAll(async () => {
  app = await openTestApp();
  fakeVideos = await withFakeVideos(app);
  server = await startTestServer(fakeVideos.app);
});
afterAll(async () => {
  await server.close();
  await fakeVideos.stop();
  await app.close();
});

const SMALL = { title: 'Bread at seven', duration: 0.5, width: 64, height: 64 };

test.each(HTTP_CLIENTS)(
  '%s: a model makes a video, waits for it, and has the link',
  async (_name, connect) => {
    const client = await connect(server.url, (await newBareKey(app)).key);
    try {
      const begun = await client.callTool('create_video', SMALL);
      expect(outputOf(begun)).toMatchObject({ status: 'pending', url: null });
      expect(begun.content).toMatchObject([{ type: 'text', text: expect.stringContaining('get_video') }]);
      const { id: video_id } = outputOf(begun) as { id: string };
      const told: string[] = [];
      const ended = await client.callTool(
        'get_video',
        { video_id, wait_seconds: 30 },
        { onprogress: ({ message = '' }) => told.push(message) },
      );
      expect(told.length).toBeGreaterThan(0);
      expect(outputOf(ended)).toMatchObject({
        id: video_id,
        status: 'completed',
        progress: 100,
        url: expect.stringContaining(`${server.url}/videos/${video_id}/file?token=`),
      });
      const { url } = outputOf(ended) as { url: string };
      const file = (await client.readResource(url)).contents[0];
      expect([file?.mimeType, Buffer.from(String(file?.blob), 'base64').subarray(4, 8).toString()]).toEqual([
        'video/mp4',
        'ftyp',
      ]);
      await expect(client.readResource(`${url}0`)).rejects.toThrow();
      const job = await client.callTool('get_job', { id: video_id });
      expect(outputOf(job)).toMatchObject({ tool: 'create_video', status: 'completed' });
    } finally {
      await client.close();
    }
  },
);

test('a field a video does not have is told to a model, and webhooks are for REST', async () => {
  const [, connect] = HTTP_CLIENTS[0] ?? [];
  const client = await connect?.(server.url, (await newBareKey(app)).key);
  for (const more of [{ colour: 'red' }, { webhook_url: 'https://shop.example/hook' }]) {
    const answer = await client?.callTool('create_video', { ...SMALL, ...more });
    expect([answer?.isError, answer?._meta?.['status']]).toEqual([true, 422]);
    expect(JSON.stringify(answer?.content)).toContain(String(Object.keys(more)[0]));
  }
  await client?.close();
});
