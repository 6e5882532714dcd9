import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import suite from './vitest.config.ts';

// Every property of the fast suite that is tried on a part of its sample there, on the whole of it.
const include = globSync('test/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes('/support/samples.ts'),
);

export default defineConfig({
  test: {
    ...suite.test,
    include,
    testTimeout: 600_000,
    env: { ...suite.test?.env, STALLHAND_FULL_SAMPLES: '1' },
  },
});
