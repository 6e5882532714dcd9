import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/*
 * Imported by the server that is measured, before its own code: once in a while it appends the time, and the longest
 * that the event loop of the main thread was late since the line before, both in milliseconds, to the file LOOP_DELAYS.
 */
const EVERY_MS = 200;

const file = process.env['LOOP_DELAYS'];
if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  setInterval(() => {
    appendFileSync(file, `${Date.now()} ${(delays.max / 1e6).toFixed(1)}\n`);
    delays.reset();
  }, EVERY_MS).unref();
}
