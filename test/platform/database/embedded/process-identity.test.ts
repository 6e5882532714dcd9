import { describe, expect, test } from 'vitest';
import {
  ownIdentity,
  processState,
  startFromProc,
  startFromSystem,
} from '../../../../src/platform/database/embedded/process-identity.ts';
import { spawnZombie } from '../../../support/processes.ts';

/** Higher than any system gives out. */
const NO_PROCESS = 2 ** 30;
const linux = process.platform === 'linux';

test('this process runs', async () => {
  const mark = await ownIdentity();
  expect(mark.pid).toBe(process.pid);
  expect(await processState(mark)).toBe('running');
});

test('a process of that number does not run when it began at another time', async () => {
  const mark = await ownIdentity();
  expect(await processState({ ...mark, started: mark.started - 100_000 })).toBe('gone');
});

test('a number that no process has is gone', async () => {
  expect(await processState({ ...(await ownIdentity()), pid: NO_PROCESS })).toBe('gone');
});

test('nothing is known of a process of another machine or container', async () => {
  expect(await processState({ ...(await ownIdentity()), host: 'another' })).toBe('elsewhere');
});

describe.each([
  ['with /proc', startFromProc, linux],
  ['without /proc', startFromSystem, process.platform !== 'win32'],
] as const)('the start of a process, %s,', (_way, startOf, available) => {
  test.runIf(available)('is known of one that runs, and does not change', async () => {
    const started = await startOf(process.pid);
    expect(started).toBeTypeOf('number');
    expect(await startOf(process.pid)).toBe(started);
    expect(await startOf(1)).not.toBe(started);
  });

  test.runIf(available)('is gone when there is none', async () => {
    expect(await startOf(NO_PROCESS)).toBe('gone');
  });

  test.runIf(linux)('is gone of one that has ended and was not yet reaped', async () => {
    const zombie = await spawnZombie();
    expect(await startOf(zombie.pid)).toBe('gone');
    await zombie.end();
  });
});

test.runIf(process.platform !== 'win32')(
  'the system tells the start in milliseconds since 1970',
  async () => {
    const started = await startFromSystem(process.pid);
    const expected = Date.now() - process.uptime() * 1000;
    // Another unit or another epoch would be years away; a busy machine is late by seconds.
    expect(Math.abs(Number(started) - expected)).toBeLessThan(60_000);
  },
);
