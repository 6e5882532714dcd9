import { expect, test } from 'vitest';
import { createTurns } from '../../src/platform/turns.ts';

test('who asks for the same key goes one after another, others at the same time', async () => {
  const turns = createTurns();
  const said: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.take('a', async () => {
    said.push('first begins');
    await gate.promise;
    said.push('first ends');
    return 1;
  });
  const second = turns.take('a', async () => {
    said.push('second');
    return 2;
  });
  await turns.take('b', async () => said.push('other'));
  gate.resolve();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect(said).toEqual(['first begins', 'other', 'first ends', 'second']);
});

test('one that fails holds nobody up', async () => {
  const turns = createTurns();
  const failing = turns.take('a', () => Promise.reject(new Error('no')));
  const next = turns.take('a', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
