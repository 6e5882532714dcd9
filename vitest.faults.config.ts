import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { HISTORIES } from './vitest.properties.config.ts';

/** For suites of real processes, which wait more than they compute. */
export const PROCESSES = {
  globalSetup: 'test/support/left-engines.ts',
  // A busy machine is late, not wrong.
  expect: { poll: { timeout: 15_000 } },
  testTimeout: 600_000,
  hookTimeout: 120_000,
};

// The slow suite: processes are killed, connections cut and disks filled for real.
export default inPairs('faults', [
  'browser-memory',
  'database-hangs',
  'database-hosts',
  'idle-statements',
  'queue-idle-statements',
  'rolling-restart',
  'start-memory',
]);

/**
 * Two files of `test/<folder>` at a time; then, one by one, those that measure memory, silence or the time of an answer,
 * which a neighbor would change.
 */
export function inPairs(folder: string, alone: readonly string[]): ViteUserConfig {
  const measured = alone.map((name) => `test/${folder}/${name}.test.ts`);
  const pairs = { include: [`test/${folder}/**/*.test.ts`], exclude: [...HISTORIES, ...measured] };
  return defineConfig({
    test: {
      ...PROCESSES,
      projects: [
        { extends: true, test: { name: folder, ...pairs, maxWorkers: 2, sequence: { groupOrder: 1 } } },
        {
          extends: true,
          test: { name: 'alone', include: measured, fileParallelism: false, sequence: { groupOrder: 2 } },
        },
      ],
    },
  });
}
