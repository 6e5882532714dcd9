import { expect, test } from 'vitest';
import { mapInTurns } from '../../src/platform/map-in-turns.ts';

test('maps all items in their order', async () => {
  expect(await mapInTurns(new Set([1, 2, 3]), (n) => n * 2)).toEqual([2, 4, 6]);
});

test('the event loop goes on in between', async () => {
  let isOver = false;
  let turns = 0;
  const counted = (async () => {
    for (; !isOver; turns++) await new Promise(setImmediate);
  })();
  // Each item takes longer than the list may hold the event loop.
  await mapInTurns(Array.from({ length: 5 }), () =>
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10),
  );
  isOver = true;
  await counted;
  expect(turns).toBeGreaterThanOrEqual(4);
});
