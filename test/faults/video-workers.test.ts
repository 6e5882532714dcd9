import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { findFfmpeg } from '../../src/videos/encode/ffmpeg.ts';
import { bytesAt, startVideoServer } from '../support/video-server.ts';

// A browser that encodes does so a little otherwise each time.
const hasFfmpeg = (await findFfmpeg()) !== undefined;

/** Four chunks on the grid, the last one shorter; large enough for every painted frame to pass the self-check. */
const FILM = {
  template: 'hook',
  data: { points: ['Post at seven', 'Answer every comment', 'Come back tomorrow'] },
  duration: 18,
  fps: 30,
  width: 540,
  height: 960,
  quality: 'standard',
};

test.runIf(hasFfmpeg)('one, two and four workers make the same bytes of a video of four chunks', async () => {
  const files: Record<string, unknown>[] = [];
  for (const workers of [1, 2, 4]) {
    const server = await startVideoServer({ VIDEO_WORKERS: String(workers) });
    try {
      const { status, error, url, frames } = await server.make(FILM);
      const sha256 =
        url &&
        createHash('sha256')
          .update(await bytesAt(url))
          .digest('hex');
      files.push({ status, error, frames, sha256 });
    } finally {
      await server.close();
    }
  }
  const [first] = files;
  expect(first).toEqual({
    status: 'completed',
    error: null,
    frames: { done: 540, total: 540 },
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(files).toEqual([first, first, first]);
});
