import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { testsOfTheServer } from './test/support/postgres-tests.ts';
import suite, { PROCESS_SUITES } from './vitest.config.ts';

// The tests of `npm test` and `npm run test:processes` that may differ on a PostgreSQL server: all that see a database.
const elsewhere = (suite.test?.exclude ?? []).filter((pattern) => !PROCESS_SUITES.includes(pattern));
const both = globSync('test/**/*.test.ts', { exclude: elsewhere });
const include = testsOfTheServer(both);

// Vitest reads this file in the process that runs the suite alone, so this is printed once.
process.stderr.write(
  `On PostgreSQL: ${include.length} of ${both.length} test files. The other ${both.length - include.length} open no database.\n`,
);

export default defineConfig({ test: { ...suite.test, include, exclude: [] } });
