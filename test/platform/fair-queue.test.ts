import { expect, test } from 'vitest';
import { createFairQueue } from '../../src/platform/fair-queue.ts';

const refuse = () => new Error('full');

test('a place goes to the one who waits longest', async () => {
  const line = createFairQueue({ concurrency: 1, waiting: 2, rejection: refuse });
  const order: string[] = [];
  await line.enter();
  const waits = ['first', 'second'].map((name) => line.enter().then(() => order.push(name)));
  expect(line.counts()).toEqual({ waiting: 2, busy: 1 });
  await expect(line.enter()).rejects.toThrow('full');
  line.leave();
  await waits[0];
  line.leave();
  await waits[1];
  line.leave();
  expect(order).toEqual(['first', 'second']);
  expect(line.counts()).toEqual({ waiting: 0, busy: 0 });
});

test('a caller that aborts or is dismissed stops waiting', async () => {
  const line = createFairQueue({ concurrency: 1, waiting: 2, rejection: refuse });
  const gone = new AbortController();
  await line.enter();
  const waits = [line.enter({ signal: gone.signal }), line.enter()].map((wait) => wait.catch(String));
  gone.abort(new Error('gone'));
  line.dismiss(new Error('closed'));
  expect(await Promise.all(waits)).toEqual(['Error: gone', 'Error: closed']);
  expect(line.counts()).toEqual({ waiting: 0, busy: 1 });
});

test('accounts take turns, however many of one wait', async () => {
  const line = createFairQueue({ concurrency: 1, waiting: 10, rejection: refuse });
  const order: string[] = [];
  await line.enter();
  const waits = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) =>
    line.enter({ accountId: name.charAt(0) }).then(() => {
      order.push(name);
      line.leave();
    }),
  );
  line.leave();
  await Promise.all(waits);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(line.counts()).toEqual({ waiting: 0, busy: 0 });
});

test('in a full line who has fewer waiting takes the last place of who has most, until they have as many', async () => {
  const line = createFairQueue({ concurrency: 1, waiting: 4, rejection: refuse });
  await line.enter();
  const ends: string[] = [];
  const come = (name: string) =>
    line.enter({ accountId: name.charAt(0) }).then(
      () => ends.push(`${name} enters`),
      (error: Error) => ends.push(`${name} ${error.message}`),
    );
  const waits = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3'].map(come);
  expect(line.counts()).toEqual({ waiting: 4, busy: 1 });
  for (let left = 4; left > 0; left--) line.leave();
  await Promise.all(waits);
  expect(ends.toSorted()).toEqual([
    'a1 enters',
    'a2 enters',
    'a3 full',
    'a4 full',
    'a5 full',
    'b1 enters',
    'b2 enters',
    'b3 full',
  ]);
});
