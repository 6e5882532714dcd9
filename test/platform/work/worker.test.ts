import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { Attempt, FencingToken } from '../../../src/platform/work/attempt.ts';
import type { Progress } from '../../../src/platform/work/progress-writer.ts';
import type { WorkOutcome } from '../../../src/platform/work/work-handler.ts';
import { createWorker, type WorkLimits } from '../../../src/platform/work/worker.ts';

const ID = 'one';
const job = { accountId: 'acc_test', id: ID, priorAttempts: 0 };
const away = <T>(wait: () => Promise<T>): Promise<T> => wait();
const delivery = { retryCount: 0, signal: new AbortController().signal, away };
const HOUR = 3_600_000;

type Row = { attempt: number; cancel_requested: boolean };

/** A worker over one item, whose state is `row`; `said` collects every call. */
function workshop(run: (attempt: Attempt) => Promise<string>, limits: Partial<WorkLimits> = {}) {
  const row: Row = { attempt: 0, cancel_requested: false };
  const said: [string, ...unknown[]][] = [];
  const owns = ({ attempt }: FencingToken) => row.attempt === attempt;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const worker = createWorker({
    async claim({ attempt }) {
      if (row.attempt >= attempt) return undefined;
      row.attempt = attempt;
      return row;
    },
    check: async (own) => (owns(own) ? row : undefined),
    async advance(own, { done }: Progress) {
      said.push(['advanced', done]);
      return owns(own);
    },
    release: async ({ attempt }) => void said.push(['released', attempt]),
    begin: (_row: Row, attempt) => ({
      run() {
        begin();
        return run(attempt);
      },
      finish: async (end: WorkOutcome<string>) => void said.push(['finished', end]),
    }),
    abandoned: async ({ attempt }, { key }) => void said.push(['abandoned', attempt, key]),
    noun: 'item',
    log: pino({ level: 'silent' }),
    limits: { attemptTimeoutMs: HOUR, gracePeriodMs: HOUR, progressIntervalMs: HOUR, ...limits },
  });
  return { worker, row, said, begun };
}

/** Work that ends when it is aborted. */
function endless({ signal }: Attempt): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
}

describe('a delivery', () => {
  test('is done, and its outcome stored', async () => {
    const { worker, said } = workshop(async ({ fence: own }) => `done by ${own.attempt}`);
    await worker.handle({ ...job, priorAttempts: 4 }, { ...delivery, retryCount: 2 });
    expect(said).toEqual([['finished', { by: 'done', result: 'done by 7' }]]);
  });

  test('that comes twice is done once', async () => {
    const { worker, said } = workshop(async () => '');
    await worker.handle(job, delivery);
    await worker.handle(job, delivery);
    expect(said).toEqual([['finished', { by: 'done', result: '' }]]);
  });

  test('whose work throws ends with what was thrown', async () => {
    const cause = new Error('broken');
    const { worker, said } = workshop(() => Promise.reject(cause));
    await worker.handle(job, delivery);
    expect(said).toEqual([['finished', { by: 'error', cause }]]);
  });

  test('writes its newest progress before its end', async () => {
    const { worker, said } = workshop(async ({ progress }) => {
      for (let done = 1; done <= 3; done++) progress(done, 3, '');
      return '';
    });
    await worker.handle(job, delivery);
    expect(said).toEqual([
      ['advanced', 1],
      ['advanced', 3],
      ['finished', { by: 'done', result: '' }],
    ]);
  });

  test('that was taken three times and never done is given up, up to the last of its attempts', async () => {
    const { worker, said } = workshop(async () => '');
    await worker.abandoned({ ...job, priorAttempts: 2 });
    expect(said).toEqual([['abandoned', 5, 'internal.job_lost']]);
  });
});

describe('work that is canceled', () => {
  test('ends at once', async () => {
    const { worker, said, begun } = workshop(endless);
    const handled = worker.handle(job, delivery);
    await begun;
    worker.cancel('another');
    worker.cancel(ID);
    await handled;
    expect(said).toEqual([['finished', { by: 'canceled' }]]);
  });

  test('ends at the next check when the notice was missed', async () => {
    const { worker, row, said, begun } = workshop(endless);
    const handled = worker.handle(job, delivery);
    await begun;
    row.cancel_requested = true;
    await worker.checkAll();
    await handled;
    expect(said).toEqual([['finished', { by: 'canceled' }]]);
  });

  test('while it is claimed is not begun', async () => {
    const { worker, said } = workshop(async () => 'done');
    const handled = worker.handle(job, delivery);
    worker.cancel(ID);
    await handled;
    expect(said).toEqual([['finished', { by: 'canceled' }]]);
  });

  test('before it begins is not begun', async () => {
    const { worker, row, said } = workshop(async () => 'done');
    row.cancel_requested = true;
    await worker.handle(job, delivery);
    expect(said).toEqual([['finished', { by: 'canceled' }]]);
  });

  test('while it defers cancelations ends where it checks', async () => {
    const { promise: step, resolve: next } = Promise.withResolvers<void>();
    const { worker, said, begun } = workshop(async (attempt) => {
      attempt.deferCancelation();
      await step;
      attempt.signal.throwIfAborted();
      return `written whole, then ${attempt.abortReason}`;
    });
    const handled = worker.handle(job, delivery);
    await begun;
    worker.cancel(ID);
    next();
    await handled;
    expect(said).toEqual([['finished', { by: 'done', result: 'written whole, then canceled' }]]);
  });

  test('while it defers cancelations is released by a stop', async () => {
    const { worker, said, begun } = workshop(
      (attempt) => {
        attempt.deferCancelation();
        return endless(attempt);
      },
      { gracePeriodMs: 1 },
    );
    const handled = worker.handle(job, delivery);
    await begun;
    worker.cancel(ID);
    await worker.stop();
    await handled;
    expect(said).toEqual([['released', 1]]);
  });
});

describe('a stop', () => {
  test('releases what does not end in time', async () => {
    const { worker, said, begun } = workshop(endless, { gracePeriodMs: 1 });
    const handled = worker.handle(job, delivery);
    await begun;
    await worker.stop();
    await handled;
    expect(said).toEqual([['released', 1]]);
  });

  test('waits for what is about to end', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { worker, said, begun } = workshop(() => promise);
    const handled = worker.handle(job, delivery);
    await begun;
    const stopped = worker.stop();
    resolve('just in time');
    await stopped;
    await handled;
    expect(said).toEqual([['finished', { by: 'done', result: 'just in time' }]]);
  });

  test('does not wait longer for what will not end', async () => {
    const { worker, begun, said } = workshop(() => new Promise(() => {}), { gracePeriodMs: 1 });
    void worker.handle(job, delivery);
    await begun;
    await worker.stop();
    expect(said).toEqual([]);
  });

  test('releases immediately what is delivered after it', async () => {
    const { worker, said } = workshop(async () => 'done');
    await worker.stop();
    await worker.handle(job, delivery);
    expect(said).toEqual([['released', 1]]);
  });
});

describe('work that another attempt has', () => {
  test('is aborted by the next check, and stores no outcome', async () => {
    const { worker, row, said, begun } = workshop(endless);
    const handled = worker.handle(job, delivery);
    await begun;
    row.attempt = 2;
    await worker.checkAll();
    await handled;
    expect(said).toEqual([]);
  });

  test('is aborted by its own progress, and stores no outcome', async () => {
    const { worker, row, said } = workshop((attempt) => {
      row.attempt = 2;
      attempt.progress(1, 2, '');
      return endless(attempt);
    });
    await worker.handle(job, delivery);
    expect(said).toEqual([['advanced', 1]]);
  });

  test('is aborted when it loses its lease', async () => {
    const queue = new AbortController();
    const { worker, said, begun } = workshop(endless);
    const handled = worker.handle(job, { retryCount: 0, signal: queue.signal, away });
    await begun;
    queue.abort();
    await handled;
    expect(said).toEqual([]);
  });
});

test('work that takes longer than its limit is aborted, and has failed', async () => {
  const { worker, said } = workshop(endless, { attemptTimeoutMs: 1 });
  await worker.handle(job, delivery);
  expect(said).toEqual([
    [
      'finished',
      {
        by: 'error',
        cause: expect.objectContaining({ key: 'internal.job_late', params: { hours: 1 / HOUR } }),
      },
    ],
  ]);
});

test('a check that the database does not answer changes nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const outcomes: WorkOutcome<string>[] = [];
  const worker = createWorker({
    claim: async () => ({ cancel_requested: false }),
    check: () => Promise.reject(new Error('no database')),
    advance: async () => true,
    release: async () => {},
    begin: () => ({ run: () => promise, finish: async (outcome) => void outcomes.push(outcome) }),
    abandoned: async () => {},
    noun: 'item',
    log: pino({ level: 'silent' }),
  });
  const handled = worker.handle(job, delivery);
  await worker.checkAll();
  resolve('done');
  await handled;
  expect(outcomes).toEqual([{ by: 'done', result: 'done' }]);
});
