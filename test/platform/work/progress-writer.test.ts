import { expect, test } from 'vitest';
import { createProgressWriter, type Progress } from '../../../src/platform/work/progress-writer.ts';

const HOUR = 3_600_000;

test('the first progress is written at once, of all that follow within the pause only the newest', async () => {
  const written: Progress[] = [];
  const writer = createProgressWriter(async (progress) => void written.push(progress), HOUR);
  for (let done = 1; done <= 100; done++) writer.report(done, 100, `page ${done}`);
  expect(written).toEqual([{ done: 1, total: 100, message: 'page 1' }]);
  await writer.settle();
  expect(written).toEqual([
    { done: 1, total: 100, message: 'page 1' },
    { done: 100, total: 100, message: 'page 100' },
  ]);
});

test('what came within the pause is written after it, whether anything follows or not', async () => {
  const written: number[] = [];
  const { promise: second, resolve } = Promise.withResolvers<void>();
  const writer = createProgressWriter(async ({ done }) => {
    if (written.push(done) === 2) resolve();
  }, 1);
  for (let done = 1; done <= 3; done++) writer.report(done, 3, '');
  await second;
  expect(written).toEqual([1, 3]);
  await writer.settle();
  expect(written).toEqual([1, 3]);
});

test('a write that takes longer than the pause is waited for', async () => {
  const { promise: free, resolve } = Promise.withResolvers<void>();
  let writing = 0;
  const most: number[] = [];
  const writer = createProgressWriter(async () => {
    most.push(++writing);
    await free;
    writing--;
  }, 1);
  for (let done = 1; done <= 3; done++) {
    writer.report(done, 3, '');
    await new Promise(setImmediate);
  }
  resolve();
  await writer.settle();
  expect(Math.max(...most)).toBe(1);
});

test('a progress that cannot be written is left out, and the next one is written', async () => {
  const written: number[] = [];
  const { promise: next, resolve } = Promise.withResolvers<void>();
  const writer = createProgressWriter(async ({ done }) => {
    if (done !== 2) throw new Error('no database');
    written.push(done);
    resolve();
  }, 1);
  writer.report(1, 3, '');
  writer.report(2, 3, '');
  await next;
  writer.report(3, 3, '');
  await writer.settle();
  expect(written).toEqual([2]);
});

test('nothing is written once it has settled', async () => {
  const written: Progress[] = [];
  const writer = createProgressWriter(async (progress) => void written.push(progress), 1);
  await writer.settle();
  writer.report(1, 1, 'late');
  expect(written).toEqual([]);
});
