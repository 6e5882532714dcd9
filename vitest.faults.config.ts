import { defineConfig } from 'vitest/config';
import { HISTORIES } from './vitest.properties.config.ts';

// The slow suite: processes are killed, connections cut and disks filled for real, one file at a time.
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    exclude: HISTORIES,
    fileParallelism: false,
    globalSetup: 'test/support/left-engines.ts',
    // A busy machine is late, not wrong.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
