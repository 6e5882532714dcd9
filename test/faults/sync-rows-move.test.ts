import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Arena, openArena } from './sync-worlds/arena.ts';
import { movedTrial } from './sync-worlds/moved-trial.ts';

/** The embedded database takes several times as long. */
const TRIALS = Number(process.env['SYNC_TRIALS'] ?? (process.env['DATABASE_URL'] ? 400 : 100));
const VARIANTS = 30;

let arena: Arena;
beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

test(`${TRIALS} sheets whose rows and columns people move at the boundaries of requests keep every value`, async () => {
  const { wrong, ...totals } = await arena.tryAll(
    { trials: TRIALS, most: VARIANTS, status: true },
    movedTrial,
  );
  process.stdout.write(`${JSON.stringify(totals)}\n`);
  expect(wrong).toEqual([]);
}, 1_800_000);
