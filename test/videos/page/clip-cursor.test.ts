import type { VideoSample } from 'mediabunny';
import { expect, test } from 'vitest';
import { createClipCursor } from '../../../src/videos/page/clips/clip-cursor.ts';

test('frames that are asked for in order are decoded once each', async () => {
  const clip = clipOf([0, 0.5, 1, 1.5]);
  const cursor = createClipCursor(clip, 0);
  expect(await shownAt(cursor, [0, 0.2, 0.5, 1.4, 1.5])).toEqual([0, 0, 0.5, 1, 1.5]);
  expect(clip.decoded).toEqual([0, 0.5, 1, 1.5]);
});

test('the last frame stays after the end of the clip', async () => {
  const cursor = createClipCursor(clipOf([0, 0.5]), 0);
  expect(await shownAt(cursor, [0, 0.5, 0.9, 20])).toEqual([0, 0.5, 0.5, 0.5]);
});

test('a frame is near when it is not before the last one, and at most two seconds after it', async () => {
  const cursor = createClipCursor(clipOf([0, 0.5, 1]), 0);
  await cursor.frameAt(1);
  expect([0.99, 1, 3, 3.1].map(cursor.canReach)).toEqual([false, true, true, false]);
});

test('a first frame that cannot be decoded is not replaced by the next one', async () => {
  const cursor = createClipCursor(clipOf([0.5, 1]), 0);
  await expect(cursor.frameAt(0)).rejects.toThrow('a frame is missing');
});

test('all frames that were decoded are closed', async () => {
  const clip = clipOf([0, 0.5, 1, 1.5]);
  const cursor = createClipCursor(clip, 0);
  await cursor.frameAt(0);
  await cursor.frameAt(1);
  expect(clip.open).toEqual([1, 1.5]);
  await cursor.close();
  expect(clip.open).toEqual([]);
});

/** A clip whose frames begin at these times, which notes what is decoded and what is open. */
function clipOf(times: readonly number[]) {
  const decoded: number[] = [];
  const open: number[] = [];
  async function* framesFrom(): AsyncGenerator<VideoSample, void, unknown> {
    for (const timestamp of times) {
      decoded.push(timestamp);
      open.push(timestamp);
      // A whole frame needs a decoder; its time and its end are all that is read here.
      yield { timestamp, close: () => open.splice(open.indexOf(timestamp), 1) } as unknown as VideoSample;
    }
  }
  return { framesFrom, decoded, open };
}

async function shownAt(cursor: ReturnType<typeof createClipCursor>, places: readonly number[]) {
  const times: number[] = [];
  for (const place of places) times.push((await cursor.frameAt(place)).timestamp);
  return times;
}
