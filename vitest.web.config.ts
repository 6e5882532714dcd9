import { defineConfig } from 'vitest/config';
import suite from './vitest.config.ts';

// The web client in a real browser, against the real server.
export default defineConfig({
  test: {
    ...suite.test,
    include: ['test/web/e2e/**/*.test.ts'],
    exclude: [],
    globalSetup: ['test/web/e2e/build-first.ts'],
  },
});
