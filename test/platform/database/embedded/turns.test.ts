import { expect, test } from 'vitest';
import { createTurns } from '../../../../src/platform/database/embedded/turns.ts';

const HANG_GUARD = 60_000;

test('a turn goes to those who wait in the order they asked', async () => {
  const turns = createTurns<{ name: string }>(HANG_GUARD);
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const had: string[] = [];
  await turns.take(a);
  const waiting = [b, c].map((owner) =>
    turns.take(owner).then(() => {
      had.push(owner.name);
      turns.give(owner);
    }),
  );
  had.push('a');
  turns.give(a);
  await Promise.all(waiting);
  expect(had).toEqual(['a', 'b', 'c']);
});

test('the holder may take its turn again, and gives it once', async () => {
  const turns = createTurns<object>(HANG_GUARD);
  const [a, b] = [{}, {}];
  await turns.take(a);
  await turns.take(a);
  turns.give(a);
  await turns.take(b);
  expect([turns.holds(a), turns.holds(b)]).toEqual([false, true]);
});

test('giving a turn one does not hold changes nothing', async () => {
  const turns = createTurns<object>(HANG_GUARD);
  const [a, b] = [{}, {}];
  await turns.take(a);
  turns.give(b);
  expect(turns.holds(a)).toBe(true);
});

test('who waits longer than the limit is refused, and the turn stays where it is', async () => {
  const turns = createTurns<object>(1);
  const [a, b] = [{}, {}];
  await turns.take(a);
  await expect(turns.take(b)).rejects.toMatchObject({ reason: 'waited_too_long' });
  expect(turns.holds(a)).toBe(true);
  turns.give(a);
  expect(turns.holds(b)).toBe(false);
});

test('a wait can be ended by name', async () => {
  const turns = createTurns<object>(HANG_GUARD);
  const [a, b] = [{}, {}];
  await turns.take(a);
  const waiting = turns.take(b);
  turns.refuse(b, 'cancelled');
  await expect(waiting).rejects.toMatchObject({ reason: 'cancelled' });
});
