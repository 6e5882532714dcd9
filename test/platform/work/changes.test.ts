import { describe, expect, test } from 'vitest';
import { createChanges } from '../../../src/platform/work/changes.ts';

const HOUR = 3_600_000;
const never = new AbortController().signal;

/** Whether it resolves within one turn of the event loop, without a further change. */
async function isThrough(next: Promise<void>): Promise<boolean> {
  let through = false;
  void next.then(() => (through = true));
  await new Promise(setImmediate);
  return through;
}

describe('one who watches', () => {
  test('is woken by a change of that id, and by no other', async () => {
    const changes = createChanges();
    const watch = changes.watch('one', never);
    const next = watch.next();
    changes.notify('two');
    expect(await isThrough(next)).toBe(false);
    changes.notify('one');
    expect(await isThrough(next)).toBe(true);
  });

  test('misses no change that comes while it reads the one before', async () => {
    const changes = createChanges();
    const watch = changes.watch('one', never);
    changes.notify('one');
    await watch.next();
    changes.notify('one');
    changes.notify('one');
    expect(await isThrough(watch.next())).toBe(true);
    expect(await isThrough(watch.next())).toBe(false);
  });

  test('is told together with all others of the id, and one that leaves does not affect them', async () => {
    const changes = createChanges();
    const [first, second] = [changes.watch('one', never), changes.watch('one', never)];
    first.close();
    const next = second.next();
    changes.notify('one');
    expect(await isThrough(next)).toBe(true);
  });

  test('is woken, whatever the id, when notices may have been missed', async () => {
    const changes = createChanges();
    const nexts = ['one', 'two'].map((id) => changes.watch(id, never).next());
    changes.notifyAll();
    expect(await Promise.all(nexts.map(isThrough))).toEqual([true, true]);
  });

  test('goes on after the time it gave, and is woken before that by a change', async () => {
    const changes = createChanges();
    const watch = changes.watch('one', never);
    await watch.next(1);
    const next = watch.next(HOUR);
    changes.notify('one');
    await next;
  });

  test('goes on when its signal aborts, before or while it waits', async () => {
    const changes = createChanges();
    const leaving = new AbortController();
    const watch = changes.watch('one', leaving.signal);
    const next = watch.next(HOUR);
    leaving.abort();
    await next;
    await watch.next();
    await changes.watch('one', leaving.signal).next();
  });
});
