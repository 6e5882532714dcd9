import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import suite from './vitest.config.ts';

/** Long histories inside one process: unlike the other faults, two of them may run beside each other. */
export const HISTORIES = [
  'billing-histories',
  'merge-oracles',
  'sync-convergence',
  'sync-lost-calls',
  'sync-undo',
].map((name) => `test/faults/${name}.test.ts`);

// Every property of the fast suite that is tried on a part of its sample there, on the whole of it; and the histories.
const include = globSync('test/**/*.test.ts')
  .filter((file) => readFileSync(file, 'utf8').includes('/support/samples.ts'))
  .concat(HISTORIES);

export default defineConfig({
  test: {
    ...suite.test,
    include,
    exclude: [],
    testTimeout: 600_000,
    env: { ...suite.test?.env, STALLHAND_FULL_SAMPLES: '1' },
  },
});
