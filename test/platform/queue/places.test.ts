import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPlaces, type Place } from '../../../src/platform/queue/places.ts';

/** So many places, and what happened in them. */
function open(count: number) {
  const told: string[] = [];
  const places = createPlaces(count, () => void told.push('away'));
  async function begin(name: string): Promise<Place> {
    const place = await places.take();
    told.push(name);
    return place;
  }
  return { places, told, begin };
}

/** What is waited for, until the test says so. */
function outside() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { wait: () => promise, answer: () => resolve('answer'), fail: () => reject(new Error('gone')) };
}

test('no more jobs have a place than there are, and the next one begins when one ends', async () => {
  const { told, begin } = open(1);
  const first = await begin('first');
  void begin('second');
  await setImmediate();
  expect(told).toEqual(['first']);
  first.leave();
  await setImmediate();
  expect(told).toEqual(['first', 'second']);
});

test('a job that waits leaves its place to another, and comes back once there is one', async () => {
  const { told, begin, places } = open(1);
  const slow = await begin('slow');
  const { wait, answer } = outside();
  const back = slow.away(wait).then((value) => told.push(`back with ${value}`));
  const fast = await begin('fast');
  answer();
  await setImmediate();
  expect(told).toEqual(['slow', 'away', 'fast']);
  fast.leave();
  await back;
  expect([told.at(-1), places.free()]).toEqual(['back with answer', 0]);
  slow.leave();
  expect(places.free()).toBe(1);
});

test('a job that waits for two things has left one place only, and takes it again after the last', async () => {
  const { places, begin } = open(2);
  const job = await begin('job');
  const [one, two] = [outside(), outside()];
  const waits = [job.away(one.wait), job.away(() => job.away(two.wait))];
  expect(places.free()).toBe(2);
  one.answer();
  await waits[0];
  expect(places.free()).toBe(2);
  two.answer();
  await waits[1];
  expect(places.free()).toBe(1);
  job.leave();
  job.leave();
  expect(places.free()).toBe(2);
});

test('a wait that fails ends without a place, and one that outlives its job takes none', async () => {
  const { places, begin } = open(1);
  const failing = await begin('failing');
  const { wait, fail } = outside();
  const failed = failing.away(wait);
  const other = await begin('other');
  fail();
  await expect(failed).rejects.toThrow('gone');
  failing.leave();
  expect(places.free()).toBe(0);
  const late = outside();
  const rest = other.away(late.wait);
  other.leave();
  late.answer();
  expect([await rest, places.free()]).toEqual(['answer', 1]);
});
