import { describe, expect, test } from 'vitest';
import { createProgress } from '../../tools/contract/progress.ts';

/** A clock that the test sets, and what was sent. */
function watched() {
  const sent: number[] = [];
  const clock = { ms: 0 };
  const { progress, settled } = createProgress(
    async (notice) => {
      sent.push(notice.progress);
    },
    () => clock.ms,
  );
  const at = (ms: number, done: number, total = 10) => {
    clock.ms = ms;
    progress(done, total, 'working');
  };
  return { at, settled, sent };
}

describe('progress', () => {
  test('is told at most every 250 ms, but always at the end', async () => {
    const { at, settled, sent } = watched();
    at(0, 1);
    at(249, 2);
    at(250, 3);
    at(260, 4);
    at(261, 10);
    await settled();
    expect(sent).toEqual([1, 3, 10]);
  });

  test('never goes backwards or stands still', async () => {
    const { at, settled, sent } = watched();
    at(0, 5);
    at(1000, 5);
    at(2000, 4);
    at(3000, 10);
    at(4000, 10);
    await settled();
    expect(sent).toEqual([5, 10]);
  });

  test('keeps its order, and settles only when all is sent', async () => {
    const sent: number[] = [];
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { progress, settled } = createProgress(
      async (notice) => {
        await gates[notice.progress - 1]?.promise;
        sent.push(notice.progress);
      },
      () => Number.POSITIVE_INFINITY,
    );
    progress(1, 1, '');
    progress(2, 2, '');
    gates[1]?.resolve();
    gates[0]?.resolve();
    await settled();
    expect(sent).toEqual([1, 2]);
  });

  test('goes on when the client can no longer be told', async () => {
    const { progress, settled } = createProgress(() => Promise.reject(new Error('gone')));
    progress(1, 1, '');
    await expect(settled()).resolves.toBeUndefined();
  });
});
