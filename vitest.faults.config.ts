import { defineConfig } from 'vitest/config';
import { HISTORIES } from './vitest.properties.config.ts';

/** They measure memory, silence, or the time of an answer, which a neighbor would change. */
const ALONE = [
  'browser-memory',
  'database-hangs',
  'database-hosts',
  'idle-statements',
  'queue-idle-statements',
  'rolling-restart',
  'start-memory',
].map((name) => `test/faults/${name}.test.ts`);

/** For suites of real processes, which wait more than they compute. */
export const PROCESSES = {
  globalSetup: 'test/support/left-engines.ts',
  // A busy machine is late, not wrong.
  expect: { poll: { timeout: 15_000 } },
  testTimeout: 600_000,
  hookTimeout: 120_000,
};

// The slow suite: processes are killed, connections cut and disks filled for real, two files at a time, then some alone.
export default defineConfig({
  test: {
    ...PROCESSES,
    projects: [
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          exclude: [...HISTORIES, ...ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
