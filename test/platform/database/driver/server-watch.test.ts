import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createServerWatch,
  type ServerWatch,
} from '../../../../src/platform/database/driver/server-watch.ts';

let watch: ServerWatch;
let lives: boolean;
let probes: number;

beforeEach(() => {
  vi.useFakeTimers();
  lives = true;
  probes = 0;
  watch = createServerWatch(async () => {
    probes++;
    if (!lives) throw new Error('no sign of life');
  });
});
afterEach(() => {
  watch.close();
  vi.useRealTimers();
});

class Socket extends EventEmitter {
  silentSince: number | undefined;
  destroyed = false;

  constructor(silentSince?: number) {
    super();
    this.silentSince = silentSince;
    watch.add(this);
  }

  destroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

test('a silent server that gives no sign of life loses all connections, also those that wait for nothing', async () => {
  const [waiting, idle] = [new Socket(performance.now()), new Socket()];
  lives = false;

  await vi.advanceTimersByTimeAsync(3_000);
  expect([waiting.destroyed, idle.destroyed]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(500);
  expect([waiting.destroyed, idle.destroyed]).toEqual([true, true]);
});

test('a server that lives may take its time with a statement, and is asked at most every 3 seconds', async () => {
  const slow = new Socket(performance.now());

  await vi.advanceTimersByTimeAsync(60_000);

  expect(slow.destroyed).toBe(false);
  expect(probes).toBeGreaterThan(5);
  expect(probes).toBeLessThanOrEqual(20);
});

test('after silence, connections are refused until there is a sign of life', async () => {
  new Socket(performance.now());
  lives = false;
  await vi.advanceTimersByTimeAsync(5_000);

  expect(watch.refuseSilent).toThrow('no sign of life');
  lives = true;
  expect(watch.refuseSilent).toThrow('no sign of life');
  await vi.advanceTimersByTimeAsync(500);
  watch.refuseSilent();
  const before = probes;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(probes).toBe(before);
});

test('one failed question before a connection refuses new ones, and drops none that are open', async () => {
  const open = new Socket(performance.now());
  lives = false;
  await expect(watch.ask()).rejects.toThrow('no sign of life');
  expect(watch.refuseSilent).toThrow('no sign of life');
  lives = true;
  await vi.advanceTimersByTimeAsync(1_000);
  watch.refuseSilent();
  expect(open.destroyed).toBe(false);
});

test('nobody is asked while no one waits', async () => {
  new Socket();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(probes).toBe(0);
});
