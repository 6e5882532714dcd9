import { defineConfig } from 'vitest/config';
import { PROCESSES } from './vitest.faults.config.ts';

// What an attacker does: a page in a real browser, a stranger with thousands of tries, a model that reads hostile text.
export default defineConfig({
  test: { ...PROCESSES, include: ['test/attacks/**/*.test.ts'], fileParallelism: false },
});
