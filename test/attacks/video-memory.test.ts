import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Launch } from '../../src/platform/browser/launch-browser.ts';
import { memoryOf } from '../../src/videos/frames/memory-guard.ts';
import { openPage } from '../../src/videos/frames/open-page.ts';
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
