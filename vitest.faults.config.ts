import { defineConfig } from 'vitest/config';

// The slow suite: processes are killed, connections cut and disks filled for real, one file at a time.
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
