import { setImmediate as afterEvents } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { createThreadPool } from '../../src/platform/thread-pool.ts';
import type { HungryJob, WaitingJob } from './thread-pool-job.ts';

it('a thread that runs out of memory just as its time is up ends neither this process nor the pool', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  const pool = createThreadPool<HungryJob, number>({
    file: new URL('./thread-pool-job.ts', import.meta.url),
    name: 'eatMemory',
    threads: 1,
    timeoutMs: 1_000,
    memoryMb: 64,
    busy: () => new Fault('unavailable.compiler_busy'),
    tooSlow: () => new Fault('template_too_complex.time', { limit: 1_000 }),
    tooLarge: () => new Fault('template_too_complex.memory', { limit: 64 }),
  });
  try {
    expect(await pool.run({ megabytes: 1, isEating: flag() })).toBe(1);
    const isEating = flag();
    const hungry = pool.run({ megabytes: 1_000, isEating }).catch((error: unknown) => error);
    await Atomics.waitAsync(isEating, 0, 0).value;
    // After this thread's events come its timers: the job has its answer when the end of its thread is heard.
    await afterEvents();
    blockThisThread(1_500);
    expect(await hungry).toMatchObject({ key: 'template_too_complex.time' });
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

function blockThisThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('work that waits for a thread', () => {
  const MANY = 30;
  const pool = createThreadPool<WaitingJob, string>({
    file: new URL('./thread-pool-job.ts', import.meta.url),
    name: 'waitForSignal',
    threads: 1,
    timeoutMs: 20_000,
    memoryMb: 64,
    busy: () => new Fault('unavailable.compiler_busy'),
    tooSlow: () => new Fault('template_too_complex.time', { limit: 20_000 }),
    tooLarge: () => new Fault('template_too_complex.memory', { limit: 64 }),
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
  const free = () => flag().fill(1);

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
