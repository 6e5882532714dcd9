import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Arena, openArena } from '../faults/sync-worlds/arena.ts';
import { converge } from '../faults/sync-worlds/converge.ts';
import { samples } from '../support/samples.ts';

/** `npm run test:faults -- sync-convergence` tries a thousand. */
const TRIALS = samples(150, 15);
const VARIANTS = 40;

let arena: Arena;
beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

test('random catalogues with every field lose no edit amid faults and sales, and the run after writes nothing', {
  timeout: 600_000,
}, async () => {
  const { wrong } = await arena.tryAll({ trials: TRIALS, most: VARIANTS }, converge);
  expect(wrong).toEqual([]);
});
