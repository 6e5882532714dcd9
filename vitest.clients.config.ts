import { defineConfig } from 'vitest/config';
import { PROCESSES } from './vitest.faults.config.ts';

// Assistants that people use, as they are on npm, with a scripted model behind them.
export default defineConfig({
  test: { ...PROCESSES, include: ['test/real-clients/**/*.test.ts'], fileParallelism: false },
});
