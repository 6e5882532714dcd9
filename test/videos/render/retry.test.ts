import { expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { retry } from '../../../src/videos/render/retry.ts';

const never = new AbortController().signal;

/** How often the work was begun, and how it ended. */
async function tries(errors: readonly Error[], signal = never) {
  let count = 0;
  const work = async () => {
    const error = errors[count++];
    if (error) throw error;
    return 'done';
  };
  const end = await retry(work, signal, [0, 0]).catch((error: Error) => error);
  return { count, end };
}

const crashed = new Fault('video_failed.crashed');
const started = new Fault('unavailable.browser_start');
const lost = new Error('the connection is closed');
const nodes = new Fault('video_failed.nodes', { count: 1, limit: 1 });

test.each([
  ['what goes well is done once', [], { count: 1, end: 'done' }],
  ['a browser that ended is followed by another', [crashed, lost], { count: 3, end: 'done' }],
  ['a third one that ends is the last', [crashed, started, lost], { count: 3, end: lost }],
  ['what is the fault of the page is not tried again', [nodes], { count: 1, end: nodes }],
])('%s', async (_name, errors, expected) => {
  expect(await tries(errors)).toEqual(expected);
});

test('what was told to end is not tried again', async () => {
  expect(await tries([lost], AbortSignal.abort())).toEqual({ count: 1, end: lost });
});
