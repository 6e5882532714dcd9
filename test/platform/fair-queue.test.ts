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

test('an account has as many places as it may, and the others the rest', async () => {
  const line = createFairQueue({ concurrency: 3, perAccount: 2, waiting: 10, rejection: refuse });
  const order: string[] = [];
  const come = (accountId: string, name: string) => line.enter({ accountId }).then(() => order.push(name));
  const waits = ['a1', 'a2', 'a3', 'a4'].map((name) => come('a', name));
  await Promise.all(waits.slice(0, 2));
  expect(line.counts()).toEqual({ waiting: 2, busy: 2 });
  expect(line.turnsUntil({ accountId: 'b' })).toBe(0);
  await come('b', 'b1');
  const last = come('b', 'b2');
  line.leave({ accountId: 'b' });
  await last;
  expect(order).toEqual(['a1', 'a2', 'b1', 'b2']);
  line.leave({ accountId: 'a' });
  line.leave({ accountId: 'a' });
  await Promise.all(waits);
  expect(order).toEqual(['a1', 'a2', 'b1', 'b2', 'a3', 'a4']);
});

test('an account that overran its time comes after all others, until a call of it ends in time', async () => {
  const line = createFairQueue({ concurrency: 1, waiting: 10, rejection: refuse });
  const order: string[] = [];
  await line.enter({ accountId: 'a' });
  const waits = ['a1', 'a2', 'b1', 'b2', 'c1'].map((name) =>
    line.enter({ accountId: name.charAt(0) }).then(() => order.push(name)),
  );
  const end = async (accountId: string, overran = false) => {
    line.leave({ accountId }, { overran });
    await new Promise(setImmediate);
  };
  await end('a', true);
  for (const account of ['b', 'c', 'b', 'a', 'a']) await end(account);
  await Promise.all(waits);
  expect(order).toEqual(['b1', 'c1', 'b2', 'a1', 'a2']);
});

test('how long a call would wait is counted in calls before it', async () => {
  const line = createFairQueue({ concurrency: 2, perAccount: 1, waiting: 10, rejection: refuse });
  const turns = () => ['a', 'b', 'c'].map((accountId) => line.turnsUntil({ accountId }));
  expect(turns()).toEqual([0, 0, 0]);
  const waits = ['a', 'a', 'a', 'b', 'b'].map((accountId) => line.enter({ accountId }).catch(String));
  // One of a and one of b are at work; two of a wait, and one of b.
  expect(turns()).toEqual([3, 2, 1.5]);
  line.dismiss(refuse());
  await Promise.all(waits);
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
