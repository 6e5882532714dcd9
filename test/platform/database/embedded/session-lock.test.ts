import { expect, test } from 'vitest';
import { createSessionLock } from '../../../../src/platform/database/embedded/session-lock.ts';

const HANG_GUARD = 60_000;

test('a turn goes to those who wait in the order they asked', async () => {
  const turns = createSessionLock<{ name: string }>(HANG_GUARD);
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const had: string[] = [];
  await turns.acquire(a);
  const waiting = [b, c].map((owner) =>
    turns.acquire(owner).then(() => {
      had.push(owner.name);
      turns.release(owner);
    }),
  );
  had.push('a');
  turns.release(a);
  await Promise.all(waiting);
  expect(had).toEqual(['a', 'b', 'c']);
});

test('the holder may take its turn again, and gives it once', async () => {
  const turns = createSessionLock<object>(HANG_GUARD);
  const [a, b] = [{}, {}];
  await turns.acquire(a);
  await turns.acquire(a);
  turns.release(a);
  await turns.acquire(b);
  expect([turns.isHeldBy(a), turns.isHeldBy(b)]).toEqual([false, true]);
});

test('giving a turn one does not hold changes nothing', async () => {
  const turns = createSessionLock<object>(HANG_GUARD);
  const [a, b] = [{}, {}];
  await turns.acquire(a);
  turns.release(b);
  expect(turns.isHeldBy(a)).toBe(true);
});

test('who waits longer than the limit is refused, and the turn stays where it is', async () => {
  const turns = createSessionLock<object>(1);
  const [a, b] = [{}, {}];
  await turns.acquire(a);
  await expect(turns.acquire(b)).rejects.toMatchObject({ reason: 'timeout' });
  expect(turns.isHeldBy(a)).toBe(true);
  turns.release(a);
  expect(turns.isHeldBy(b)).toBe(false);
});

test('a wait can be ended by name', async () => {
  const turns = createSessionLock<object>(HANG_GUARD);
  const [a, b] = [{}, {}];
  await turns.acquire(a);
  const waiting = turns.acquire(b);
  turns.cancelWait(b, 'canceled');
  await expect(waiting).rejects.toMatchObject({ reason: 'cancelled' });
});
