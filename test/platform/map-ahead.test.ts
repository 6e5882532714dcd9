import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapAhead } from '../../src/platform/map-ahead.ts';

async function* each<Item>(...items: readonly Item[]) {
  yield* items;
}

async function collect<Item>(items: AsyncIterable<Item>) {
  const all: Item[] = [];
  let error: unknown;
  try {
    for await (const item of items) all.push(item);
  } catch (thrown) {
    error = thrown;
  }
  return { all, ...(error !== undefined && { error: String(error) }) };
}

test('results have the order of the items, whatever ends first, and no more are at work than may be', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 }),
    fc.integer({ min: 1, max: 6 }),
    async (turns, ahead) => {
      let atWork = 0;
      let most = 0;
      const results = mapAhead(each(...turns), ahead, async (turn, index) => {
        most = Math.max(most, ++atWork);
        for (let left = turn; left > 0; left--) await new Promise(setImmediate);
        atWork--;
        return index;
      });
      expect(await collect(results)).toEqual({ all: turns.map((_turn, index) => index) });
      expect(most).toBeLessThanOrEqual(ahead);
    },
  );
  await fc.assert(property, { numRuns: 50 });
});

test('items are at work at the same time', async () => {
  const started: string[] = [];
  const gate = Promise.withResolvers<void>();
  const results = mapAhead(each('a', 'b', 'c', 'd'), 3, async (item) => {
    started.push(item);
    await gate.promise;
    return item.toUpperCase();
  });
  const first = results.next();
  await new Promise(setImmediate);
  expect(started).toEqual(['a', 'b', 'c']);
  gate.resolve();
  expect(await first).toEqual({ done: false, value: 'A' });
  expect(await collect(results)).toEqual({ all: ['B', 'C', 'D'] });
});

test('a result does not wait for the next item', async () => {
  const asked = Promise.withResolvers<string>();
  async function* dialogue() {
    yield 'first';
    yield await asked.promise;
  }
  const results = mapAhead(dialogue(), 4, async (item) => `${item} done`);
  expect(await results.next()).toEqual({ done: false, value: 'first done' });
  asked.resolve('second');
  expect(await results.next()).toEqual({ done: false, value: 'second done' });
  expect(await results.next()).toEqual({ done: true, value: undefined });
});

test('what fails is thrown in its turn, after the results before it', async () => {
  const work = async (item: string) => {
    if (item === 'bad') throw new Error('bad item');
    await new Promise(setImmediate);
    return item;
  };
  expect(await collect(mapAhead(each('a', 'b', 'bad', 'c'), 3, work))).toEqual({
    ...{ all: ['a', 'b'], error: 'Error: bad item' },
  });
  async function* broken() {
    yield* ['a', 'b'];
    throw new Error('the items ended early');
  }
  expect(await collect(mapAhead(broken(), 3, work))).toEqual({
    ...{ all: ['a', 'b'], error: 'Error: the items ended early' },
  });
});

test('who stops reading ends the items', async () => {
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield 'item';
    } finally {
      ended = true;
    }
  }
  for await (const _result of mapAhead(endless(), 2, async (item) => item)) break;
  await new Promise(setImmediate);
  expect(ended).toBe(true);
});
