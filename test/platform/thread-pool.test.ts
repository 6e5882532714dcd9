import { setImmediate as afterEvents, setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { createThreadPool } from '../../src/platform/thread-pool.ts';
import type { BusyJob, HungryJob, WaitingJob } from './thread-pool-job.ts';

const FAULTS = {
  busy: () => new Fault('unavailable.compiler_busy'),
  tooSlow: () => new Fault('template_too_complex.time', { limit: 500 }),
  tooLarge: () => new Fault('template_too_complex.memory', { limit: 64 }),
};

it('a thread that runs out of memory just as its time is up ends neither this process nor the pool', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  const pool = createThreadPool<HungryJob, number>({
    file: new URL('./thread-pool-job.ts', import.meta.url),
    name: 'eatMemory',
    threads: 1,
    timeoutMs: 500,
    patienceMs: 3_000,
    memoryMb: 64,
    ...FAULTS,
  });
  try {
    expect(await pool.run({ megabytes: 1, isEating: flag() })).toBe(1);
    const isEating = flag();
    const hungry = pool.run({ megabytes: 1_000, isEating }).catch((error: unknown) => error);
    await Atomics.waitAsync(isEating, 0, 0).value;
    // After this thread's events come its timers: the job has its answer when the end of its thread is heard.
    await afterEvents();
    blockThisThread(4_500);
    expect(await hungry).toMatchObject({ key: 'unavailable.compiler_busy' });
    expect(await pool.run({ megabytes: 2, isEating: flag() })).toBe(2);
    expect(uncaught).toEqual([]);
  } finally {
    await pool.close();
    process.off('uncaughtException', note);
  }
});

function flag(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4));
}

function free(): Int32Array<SharedArrayBuffer> {
  return flag().fill(1);
}

function blockThisThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('the time of a job is what its thread has worked', () => {
  const options = {
    file: new URL('./thread-pool-job.ts', import.meta.url),
    threads: 1,
    timeoutMs: 100,
    memoryMb: 64,
    ...FAULTS,
  };
  const patient = createThreadPool<WaitingJob, string>({ ...options, name: 'waitForSignal' });
  const impatient = createThreadPool<WaitingJob, string>({
    ...options,
    name: 'waitForSignal',
    patienceMs: 3_000,
  });
  const hot = createThreadPool<BusyJob, string>({ ...options, name: 'work' });
  afterAll(() => Promise.all([patient, impatient, hot].map(({ close }) => close())));

  it('a thread that stands still for longer than the limit, as on a machine short of processors, completes its job', async () => {
    const resumed = flag();
    const job = patient.run({ name: 'paused', flag: resumed });
    await delay(1_000);
    resumed.fill(1);
    Atomics.notify(resumed, 0);
    expect(await job).toBe('paused');
  });

  it('one that stands still for too long is unavailable, and the next job has a thread', async () => {
    const paused = impatient.run({ name: 'paused', flag: flag() });
    await expect(paused).rejects.toMatchObject({ key: 'unavailable.compiler_busy' });
    expect(await impatient.run({ name: 'next', flag: free() })).toBe('next');
  });

  it('one that works for longer than the limit is too slow, and the next job has a thread', async () => {
    await expect(hot.run({ workMs: Infinity, pauseMs: 0 })).rejects.toMatchObject({
      key: 'template_too_complex.time',
    });
    expect(await hot.run({ workMs: 1, pauseMs: 0 })).toBe('done');
  });

  it('what the thread has worked for earlier jobs does not count', async () => {
    for (let jobs = 0; jobs < 4; jobs++) expect(await hot.run({ workMs: 40, pauseMs: 100 })).toBe('done');
  });
});

describe('work that waits for a thread', () => {
  const MANY = 30;
  const pool = createThreadPool<WaitingJob, string>({
    file: new URL('./thread-pool-job.ts', import.meta.url),
    name: 'waitForSignal',
    threads: 1,
    timeoutMs: 20_000,
    memoryMb: 64,
    ...FAULTS,
  });
  afterAll(() => pool.close());

  /** Takes the thread until it is told to go on. */
  function block() {
    const isFree = flag();
    const done = pool.run({ name: 'first', flag: isFree });
    const release = () => {
      Atomics.store(isFree, 0, 1);
      Atomics.notify(isFree, 0);
      return done;
    };
    return release;
  }

  it('is not done when who asked for it has gone', async () => {
    const release = block();
    const caller = new AbortController();
    const gone = Array.from({ length: MANY }, () =>
      pool.run({ name: 'gone', flag: free() }, { signal: caller.signal }).catch(String),
    );
    caller.abort(new Error('gone'));
    expect(await Promise.all(gone)).toEqual(gone.map(() => 'Error: gone'));
    await release();
    expect(await pool.run({ name: 'next', flag: free() })).toBe('next');
  });

  it('is done in turns by account, however much one has sent', async () => {
    const release = block();
    const order: string[] = [];
    const send = (accountId: string) =>
      pool.run({ name: accountId, flag: free() }, { accountId }).then((name) => order.push(name));
    const all = [...Array.from({ length: MANY }, () => send('greedy')), send('modest')];
    await release();
    await Promise.all(all);
    expect(order.indexOf('modest')).toBe(1);
  });
});
