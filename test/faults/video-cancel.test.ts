import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFfmpeg } from '../../src/videos/encode/ffmpeg.ts';
import { bytesAt, type Json, startVideoServer, type VideoServer } from '../support/video-server.ts';

let server: VideoServer;
beforeAll(async () => {
  server = await startVideoServer();
});
afterAll(() => server?.close());

const LONG = { title: 'A minute', duration: 60, width: 540, height: 960 };

async function ask(body: Json): Promise<string> {
  const { status, body: video } = await server.rest('POST', '/videos', { body });
  expect(status).toBe(200);
  return String(video['id']);
}

async function until(id: string, passes: (video: Json) => boolean): Promise<Json> {
  for await (const video of server.follow(id)) if (passes(video)) return video;
  throw new Error(`${id} never came to that`);
}

const framesOf = ({ frames }: Json) => (frames as { done: number }).done;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('a minute that is rendered is canceled within a second, and nothing of it is left', async () => {
  const id = await ask(LONG);
  await until(id, (video) => framesOf(video) > 0);
  expect(await server.traces()).not.toEqual([]);
  const began = performance.now();
  const answer = await server.rest('POST', `/videos/${id}/cancel`);
  const answered = performance.now() - began;
  await expect.poll(server.traces, { interval: 20 }).toEqual([]);
  const cleared = performance.now() - began;
  process.stdout.write(
    `answered after ${Math.round(answered)} ms, cleared after ${Math.round(cleared)} ms\n`,
  );
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'canceled', url: null, error: null, eta_s: null },
  });
  expect(cleared).toBeLessThan(1_000);
});

test('one that is deleted while it is rendered is gone at once, with all that it had', async () => {
  const id = await ask(LONG);
  await until(id, (video) => framesOf(video) > 160);
  expect(await server.kept(id)).not.toEqual([]);
  expect((await server.rest('DELETE', `/videos/${id}`)).body).toEqual({ deleted: true });
  expect((await server.rest('GET', `/videos/${id}`)).status).toBe(404);
  await expect.poll(async () => [...(await server.traces()), ...(await server.kept(id))]).toEqual([]);
});

test.runIf((await findFfmpeg()) !== undefined)(
  'one that is canceled and taken up again keeps its chunks, and becomes the same file as one that never was',
  async () => {
    // A chunk has 150 frames: this one has six. Where ffmpeg is, it encodes them, the same each time; a browser does not.
    const body = { title: 'Interrupted', duration: 30, width: 540, height: 960 };
    const id = await ask(body);
    await until(id, (video) => framesOf(video) > 160);
    const { body: canceled } = await server.rest('POST', `/videos/${id}/cancel`);
    const kept = framesOf(canceled);
    expect([kept % 150, kept >= 150, kept < 900]).toEqual([0, true, true]);
    expect((await server.rest('POST', `/videos/${id}/retry`)).body).toMatchObject({
      ...{ status: 'pending', attempt: 2, error: null, frames: { done: kept, total: 900 } },
    });
    const states = await Array.fromAsync(server.follow(id));
    expect(Math.min(...states.map(framesOf))).toBe(kept);
    const video = states.at(-1) ?? {};
    expect(video).toMatchObject({ status: 'completed', attempt: 2, frames: { done: 900, total: 900 } });
    const interrupted = sha256(await bytesAt(video['url']));
    // Else the next one would be given the file of this one.
    await server.rest('DELETE', `/videos/${id}`);
    const whole = await until(await ask(body), ({ completed_at: at }) => at !== null);
    expect(whole).toMatchObject({ status: 'completed', attempt: 1 });
    expect(sha256(await bytesAt(whole['url']))).toBe(interrupted);
  },
);
