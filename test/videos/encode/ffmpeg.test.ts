import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { realFfmpeg } from './support.ts';

const ENDLESS = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=30', '-f', 'null', '-'];

/** How many processes of ffmpeg this one has started that are still there. Linux only. */
async function running(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')));
  return stats.filter((stat) => new RegExp(`\\(ffmpeg\\) \\S ${process.pid} `).test(stat)).length;
}

test.skipIf(process.platform !== 'linux')('what takes too long is ended and leaves no process', async () => {
  const ffmpeg = await realFfmpeg();
  const { signal } = new AbortController();
  await expect(ffmpeg.run(ENDLESS, { signal, ms: 300 })).rejects.toThrow('ffmpeg took over 300 ms');
  await expect.poll(running).toBe(0);
});

test.skipIf(process.platform !== 'linux')('an aborted signal ends it and leaves no process', async () => {
  const ffmpeg = await realFfmpeg();
  const abort = new AbortController();
  const { ended } = ffmpeg.start(ENDLESS, abort.signal);
  expect(await running()).toBe(1);
  abort.abort(new Error('not wanted any more'));
  await expect(ended).rejects.toThrow('not wanted any more');
  expect(await running()).toBe(0);
});

test('what it says when it fails is in the error', async () => {
  const ffmpeg = await realFfmpeg();
  const { signal } = new AbortController();
  const work = ffmpeg.run(['-i', 'file:/nowhere.mp4', '-f', 'null', '-'], { signal, ms: 10_000 });
  await expect(work).rejects.toThrow(/^ffmpeg ended with \d+: .*\/nowhere\.mp4: No such file or directory/);
});
