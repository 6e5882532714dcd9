import { defineConfig } from 'vitest/config';
import { fastFolder } from './test/support/fast-folder.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/faults/**', 'test/conformance/**'],
    // A busy machine is late, not wrong.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // Files share nothing but modules, and loading those and compiling the engine takes longer than most files' tests.
    isolate: false,
    env: { TMPDIR: fastFolder() },
  },
});
