import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSessionLock } from '../../../../src/platform/database/embedded/session-lock.ts';

const HANG_GUARD = 60_000;

test('waiting owners get the lock in the order they asked', async () => {
  const lock = createSessionLock<{ name: string }>(HANG_GUARD);
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const had: string[] = [];
  await lock.acquire(a);
  const waiting = [b, c].map((owner) =>
    lock.acquire(owner).then(() => {
      had.push(owner.name);
      lock.release(owner);
    }),
  );
  had.push('a');
  lock.release(a);
  await Promise.all(waiting);
  expect(had).toEqual(['a', 'b', 'c']);
});

test('the holder may acquire the lock again, and releases it once', async () => {
  const lock = createSessionLock<object>(HANG_GUARD);
  const [a, b] = [{}, {}];
  await lock.acquire(a);
  await lock.acquire(a);
  lock.release(a);
  await lock.acquire(b);
  expect([lock.isHeldBy(a), lock.isHeldBy(b)]).toEqual([false, true]);
});

test('releasing a lock one does not hold changes nothing', async () => {
  const lock = createSessionLock<object>(HANG_GUARD);
  const [a, b] = [{}, {}];
  await lock.acquire(a);
  lock.release(b);
  expect(lock.isHeldBy(a)).toBe(true);
});

test('who waits longer than the limit is refused, and the turn stays where it is', async () => {
  const lock = createSessionLock<object>(1);
  const [a, b] = [{}, {}];
  await lock.acquire(a);
  await expect(lock.acquire(b)).rejects.toMatchObject({ reason: 'timeout' });
  expect(lock.isHeldBy(a)).toBe(true);
  lock.release(a);
  expect(lock.isHeldBy(b)).toBe(false);
});

test('no wait ends while the holder asks for patience; then each has its whole limit again', async () => {
  const lock = createSessionLock<object>(20);
  const [copy, before, during] = [{}, {}, {}];
  await lock.acquire(copy);
  const first = lock.acquire(before);
  let second: Promise<void> | undefined;
  await lock.patiently(async () => {
    second = lock.acquire(during);
    await delay(60);
  });
  lock.release(copy);
  await first;
  expect(lock.isHeldBy(before)).toBe(true);
  await expect(second).rejects.toMatchObject({ reason: 'timeout' });
});

test('a wait can be ended by name', async () => {
  const lock = createSessionLock<object>(HANG_GUARD);
  const [a, b] = [{}, {}];
  await lock.acquire(a);
  const waiting = lock.acquire(b);
  lock.cancelWait(b, 'canceled');
  await expect(waiting).rejects.toMatchObject({ reason: 'canceled' });
});
