import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Arena, openArena } from '../faults/sync-worlds/arena.ts';
import { converge } from '../faults/sync-worlds/converge.ts';
import { samples } from '../support/samples.ts';

const TRIALS = samples(150, 15);
const VARIANTS = 30;

let arena: Arena;
beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

test('rows that the store never had become products once, with every value, amid faults and sales, and the run after writes nothing', {
  timeout: 600_000,
}, async () => {
  const { wrong } = await arena.tryAll({ trials: TRIALS, most: VARIANTS, creates: true }, converge);
  expect(wrong).toEqual([]);
});
