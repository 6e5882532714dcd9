import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Arena, openArena } from '../../faults/sync-worlds/arena.ts';
import { movedTrial } from '../../faults/sync-worlds/moved-trial.ts';
import { samples } from '../../support/samples.ts';

let arena: Arena;
beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

const TRIALS = samples(30, 10);

// More of them: test/faults/sync-rows-move.test.ts.
test('sheets whose rows and columns people move at the boundaries of requests keep every value', async () => {
  const { wrong } = await arena.tryAll({ trials: TRIALS, most: 30, status: true }, movedTrial);
  expect(wrong).toEqual([]);
});
