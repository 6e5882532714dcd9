import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scoresOf } from './check.ts';
import { TASKS } from './tasks.ts';
import { MODES, openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('there are at least 40 tasks', () => {
  expect(new Set(TASKS.map(({ asked }) => asked)).size).toBeGreaterThanOrEqual(40);
});

describe.each(MODES)('an assistant with the %s', (mode) => {
  test.each(TASKS)('$asked: has what it needs, marked as data, in few tokens', async (task) => {
    const recorded = await world.play(mode, task.play);
    const faults = scoresOf(task, mode, recorded).flatMap(({ rule, faults }) =>
      faults.map((fault) => `${rule}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});
