import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Launch } from '../../src/platform/browser/launch-browser.ts';
import { canvasFrames } from '../../src/videos/frames/canvas-frames.ts';
import { memoryOf } from '../../src/videos/frames/memory-guard.ts';
import { openPage } from '../../src/videos/frames/open-page.ts';
import { bytesFrom } from '../videos/encode/support.ts';
import { closePages, composition, findBrowser, launch, signal } from '../videos/frames/session-support.ts';

afterEach(closePages);

const MEGABYTE = 1024 * 1024;
/** The limit, and what a script takes until it is measured. */
const MAX_TREE_BYTES = 3_500 * MEGABYTE;

test.skipIf(process.platform !== 'linux').each([
  ['objects', 'video_failed.crashed', 'const all = []; while (true) all.push(new Array(1e6).fill(1.5))'],
  ['buffers', 'video_failed.memory', 'const all = []; while (true) all.push(new Uint8Array(5e7).fill(1))'],
])(
  'a script that takes all memory with %s ends its own page, long before it has it',
  async (_what, key, script) => {
    const page = composition(`<p>a</p><script>${script}</script>`, { scripts: true });
    const peak = watchMemory();
    const options = { found: await findBrowser(), launch: peak.launch, signal };
    const ended = await openPage(page, options).then(
      async (opened) => {
        await opened.close();
        return 'opened';
      },
      (error: { key?: string }) => error.key,
    );
    expect(ended).toBe(key);
    expect(await peak.end()).toBeLessThan(MAX_TREE_BYTES);
  },
);

/** A launcher, and the most memory that its browser and its children had. */
function watchMemory() {
  let group = 0;
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      if (group > 0) most = Math.max(most, await memoryOf(group));
      await delay(20);
    }
  })();
  const watched: Launch = async (...args) => {
    const launched = await launch(...args);
    group = launched.pid;
    return launched;
  };
  return {
    launch: watched,
    async end() {
      isOver = true;
      await watching;
      return most;
    },
  };
}

test.skipIf(process.platform !== 'linux').each([
  [1080, 1920, 150, 600],
  [3840, 2160, 75, 1_000],
])(
  'a clip of %i × %i that fills the video for %i frames takes no memory with each of them',
  { timeout: 300_000 },
  async (width, height, frames, limit) => {
    const size = `${width}x${height}`;
    const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30`, '-frames:v', String(frames)];
    const encoded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
    const clip = await bytesFrom(...source, ...encoded, '-movflags', 'frag_keyframe', '-f', 'mp4', '-');
    const assets = new Map([['assets/clip', { bytes: clip, mediaType: 'video/mp4' }]]);
    const style = 'position:absolute;inset:0;width:100%;height:100%';
    const page = composition(`<video src="assets/clip" style="${style}"></video>`, {
      ...{ width, height, fps: 30, frames, assets },
    });
    const peak = watchMemory();
    const opened = await openPage(page, { found: await findBrowser(), launch: peak.launch, signal });
    let painted = 0;
    for await (const { repeat } of canvasFrames(opened, { from: 0, to: frames }, signal))
      if (!repeat) painted++;
    await opened.close();
    expect(painted).toBe(frames);
    expect((await peak.end()) / MEGABYTE).toBeLessThan(limit);
  },
);
