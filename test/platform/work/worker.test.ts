import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { Attempt, Fence } from '../../../src/platform/work/attempt.ts';
import type { End } from '../../../src/platform/work/craft.ts';
import type { WorkLimits } from '../../../src/platform/work/limits.ts';
import type { Progress } from '../../../src/platform/work/progress-writer.ts';
import { createWorker } from '../../../src/platform/work/worker.ts';

const ID = 'one';
const ticket = { accountId: 'acc_test', id: ID, from: 0 };
const delivery = { retry: 0, signal: new AbortController().signal };
const HOUR = 3_600_000;

type Row = { attempt: number; cancel_requested: boolean };

/** A worker over one piece of work, of which `row` is the state and `said` all that was done with it. */
function workshop(run: (attempt: Attempt) => Promise<string>, limits: Partial<WorkLimits> = {}) {
  const row: Row = { attempt: 0, cancel_requested: false };
  const said: [string, ...unknown[]][] = [];
  const owns = ({ attempt }: Fence) => row.attempt === attempt;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const worker = createWorker({
    async claim({ attempt }) {
      if (row.attempt >= attempt) return undefined;
      row.attempt = attempt;
      return row;
    },
    beat: async (own) => (owns(own) ? row : undefined),
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
      finish: async (end: End<string>) => void said.push(['finished', end]),
    }),
    lost: async ({ attempt }, { key }) => void said.push(['lost', attempt, key]),
    noun: 'piece',
    log: pino({ level: 'silent' }),
    limits: { beatMs: HOUR, runMs: HOUR, graceMs: HOUR, progressMs: HOUR, ...limits },
  });
  return { worker, row, said, begun };
}

/** Work that goes on until it is told to end. */
function endless({ signal }: Attempt): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('told to end')), { once: true });
  });
}

describe('a delivery', () => {
  test('is done, and its end written down', async () => {
    const { worker, said } = workshop(async ({ fence: own }) => `done by ${own.attempt}`);
    await worker.handle({ ...ticket, from: 4 }, { ...delivery, retry: 2 });
    expect(said).toEqual([['finished', { by: 'done', result: 'done by 7' }]]);
  });

  test('that comes twice is done once', async () => {
    const { worker, said } = workshop(async () => '');
    await worker.handle(ticket, delivery);
    await worker.handle(ticket, delivery);
    expect(said).toEqual([['finished', { by: 'done', result: '' }]]);
  });

  test('whose work throws ends with what was thrown', async () => {
    const cause = new Error('broken');
    const { worker, said } = workshop(() => Promise.reject(cause));
    await worker.handle(ticket, delivery);
    expect(said).toEqual([['finished', { by: 'error', cause }]]);
  });

  test('tells its newest progress before its end', async () => {
    const { worker, said } = workshop(async ({ progress }) => {
      for (let done = 1; done <= 3; done++) progress(done, 3, '');
      return '';
    });
    await worker.handle(ticket, delivery);
    expect(said).toEqual([
      ['advanced', 1],
      ['advanced', 3],
      ['finished', { by: 'done', result: '' }],
    ]);
  });

  test('that was taken three times and never done is given up, up to the last of its attempts', async () => {
    const { worker, said } = workshop(async () => '');
    await worker.lost({ ...ticket, from: 2 });
    expect(said).toEqual([['lost', 5, 'internal.job_lost']]);
  });
});

describe('work that is canceled', () => {
  test('ends at once', async () => {
    const { worker, said, begun } = workshop(endless);
    const handled = worker.handle(ticket, delivery);
    await begun;
    worker.cancel('another');
    worker.cancel(ID);
    await handled;
    expect(said).toEqual([['finished', { by: 'canceled' }]]);
  });

  test('ends at its next heartbeat when the notice is lost', async () => {
    const { worker, row, said, begun } = workshop(endless, { beatMs: 1 });
    const handled = worker.handle(ticket, delivery);
    await begun;
    row.cancel_requested = true;
    await handled;
    expect(said).toEqual([['finished', { by: 'canceled' }]]);
  });

  test('before it begins is not begun', async () => {
    const { worker, row, said } = workshop(async () => 'done');
    row.cancel_requested = true;
    await worker.handle(ticket, delivery);
    expect(said).toEqual([['finished', { by: 'canceled' }]]);
  });

  test('while it holds cancelations back ends where it looks', async () => {
    const { promise: step, resolve: next } = Promise.withResolvers<void>();
    const { worker, said, begun } = workshop(async (attempt) => {
      attempt.holdCancelation();
      await step;
      attempt.signal.throwIfAborted();
      return `written whole, then ${attempt.ending}`;
    });
    const handled = worker.handle(ticket, delivery);
    await begun;
    worker.cancel(ID);
    next();
    await handled;
    expect(said).toEqual([['finished', { by: 'done', result: 'written whole, then canceled' }]]);
  });

  test('while it holds cancelations back is given back by a stop', async () => {
    const { worker, said, begun } = workshop(
      (attempt) => {
        attempt.holdCancelation();
        return endless(attempt);
      },
      { graceMs: 1 },
    );
    const handled = worker.handle(ticket, delivery);
    await begun;
    worker.cancel(ID);
    await worker.stop();
    await handled;
    expect(said).toEqual([['released', 1]]);
  });
});

describe('a stop', () => {
  test('gives back what does not end in time', async () => {
    const { worker, said, begun } = workshop(endless, { graceMs: 1 });
    const handled = worker.handle(ticket, delivery);
    await begun;
    await worker.stop();
    await handled;
    expect(said).toEqual([['released', 1]]);
  });

  test('waits for what is about to end', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { worker, said, begun } = workshop(() => promise);
    const handled = worker.handle(ticket, delivery);
    await begun;
    const stopped = worker.stop();
    resolve('just in time');
    await stopped;
    await handled;
    expect(said).toEqual([['finished', { by: 'done', result: 'just in time' }]]);
  });

  test('does not wait longer for what will not end', async () => {
    const { worker, begun, said } = workshop(() => new Promise(() => {}), { graceMs: 1 });
    void worker.handle(ticket, delivery);
    await begun;
    await worker.stop();
    expect(said).toEqual([]);
  });

  test('gives back at once what is delivered after it', async () => {
    const { worker, said } = workshop(async () => 'done');
    await worker.stop();
    await worker.handle(ticket, delivery);
    expect(said).toEqual([['released', 1]]);
  });
});

describe('work that another attempt has', () => {
  test('is told to end by its next heartbeat, and writes nothing down', async () => {
    const { worker, row, said, begun } = workshop(endless, { beatMs: 1 });
    const handled = worker.handle(ticket, delivery);
    await begun;
    row.attempt = 2;
    await handled;
    expect(said).toEqual([]);
  });

  test('is told to end by the progress it tells, and writes nothing down', async () => {
    const { worker, row, said } = workshop((attempt) => {
      row.attempt = 2;
      attempt.progress(1, 2, '');
      return endless(attempt);
    });
    await worker.handle(ticket, delivery);
    expect(said).toEqual([['advanced', 1]]);
  });

  test('is told to end by the queue', async () => {
    const queue = new AbortController();
    const { worker, said, begun } = workshop(endless);
    const handled = worker.handle(ticket, { retry: 0, signal: queue.signal });
    await begun;
    queue.abort();
    await handled;
    expect(said).toEqual([]);
  });
});

test('work that takes longer than its limit is told to end, and has failed', async () => {
  const { worker, said } = workshop(endless, { runMs: 1 });
  await worker.handle(ticket, delivery);
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

test('a heartbeat without an answer of the database changes nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done: End<string>[] = [];
  let beats = 0;
  const worker = createWorker({
    claim: async () => ({ cancel_requested: false }),
    async beat() {
      if (++beats === 3) resolve();
      throw new Error('no database');
    },
    advance: async () => true,
    release: async () => {},
    begin: () => ({ run: () => promise.then(() => 'done'), finish: async (end) => void done.push(end) }),
    lost: async () => {},
    noun: 'piece',
    log: pino({ level: 'silent' }),
    limits: { beatMs: 1 },
  });
  await worker.handle(ticket, delivery);
  expect(done).toEqual([{ by: 'done', result: 'done' }]);
});
