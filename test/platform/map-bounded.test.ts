import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapBounded } from '../../src/platform/map-bounded.ts';

test('results have the order of the items, and no more than the limit run at the same time', async () => {
  let running = 0;
  let most = 0;
  const results = await mapBounded([5, 1, 3, 2, 4], 2, async (item) => {
    most = Math.max(most, ++running);
    for (let turns = 0; turns < item; turns++) await turn();
    running--;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 30, 20, 40]);
  expect(most).toBe(2);
});

test('without items there is nothing to do', async () => {
  expect(await mapBounded([], 3, () => Promise.reject(new Error('called')))).toEqual([]);
});

test('the first error stops further items, aborts the running ones and is thrown after they ended', async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const mapped = mapBounded([0, 1, 2, 3], 2, async (item, _index, signal) => {
    started.push(item);
    if (item === 1) throw new Error('broken');
    while (!signal.aborted) await turn();
    ended.push(item);
  });
  await expect(mapped).rejects.toThrow('broken');
  expect([started, ended]).toEqual([[0, 1], [0]]);
});

test('a signal stops further items', async () => {
  const controller = new AbortController();
  const started: number[] = [];
  const mapped = mapBounded(
    [0, 1, 2],
    1,
    async (item) => {
      started.push(item);
      controller.abort(new Error('left'));
    },
    controller.signal,
  );
  await expect(mapped).rejects.toThrow('left');
  expect(started).toEqual([0]);
});
