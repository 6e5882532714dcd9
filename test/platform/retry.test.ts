import { expect, test, vi } from 'vitest';
import { retry } from '../../src/platform/retry.ts';

const failing = (times: number) =>
  vi.fn(async (attempt: number) => {
    if (attempt < times) throw new Error(`attempt ${attempt}`);
    return attempt;
  });

test('work is tried again until it succeeds', async () => {
  expect(await retry(failing(2), { delays: [0, 0, 0] })).toBe(2);
});

test('there is one attempt more than delays, and the last error is thrown', async () => {
  const work = failing(9);
  await expect(retry(work, { delays: [0, 0] })).rejects.toThrow('attempt 2');
  expect(work).toHaveBeenCalledTimes(3);
});

test('an error that does not deserve another attempt is thrown immediately', async () => {
  const work = failing(9);
  const when = (error: unknown) => String(error).includes('attempt 0');
  await expect(retry(work, { delays: [0, 0, 0], when })).rejects.toThrow('attempt 1');
  expect(work).toHaveBeenCalledTimes(2);
});

test('an error can bring its own delay', async () => {
  expect(await retry(failing(1), { delays: [60_000], when: () => 0 })).toBe(1);
});

test('an abort ends the pause with the reason of the signal', async () => {
  const controller = new AbortController();
  const work = failing(9);
  const retried = retry(work, { delays: [60_000], signal: controller.signal });
  setImmediate(() => controller.abort(new Error('left')));
  await expect(retried).rejects.toThrow('left');
  expect(work).toHaveBeenCalledTimes(1);
});

test('an abort during an attempt prevents the next one', async () => {
  const controller = new AbortController();
  const work = vi.fn(async () => {
    controller.abort(new Error('left'));
    throw new Error('broken');
  });
  await expect(retry(work, { delays: [0], signal: controller.signal })).rejects.toThrow('left');
  expect(work).toHaveBeenCalledTimes(1);
});
