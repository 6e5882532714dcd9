import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { testsOfTheServer } from './test/support/postgres-tests.ts';
import suite, { PROCESS_SUITES, TRANSPORT_SUITES } from './vitest.config.ts';

// Those of the fast suite, the transports and the processes that may differ on a PostgreSQL server: all that see a database.
const here = [...TRANSPORT_SUITES, ...PROCESS_SUITES];
const elsewhere = (suite.test?.exclude ?? []).filter((pattern) => !here.includes(pattern));
const all = globSync('test/**/*.test.ts', { exclude: elsewhere });
const include = testsOfTheServer(all);

// Vitest reads this file in the process that runs the suite alone, so this is printed once.
process.stderr.write(
  `On PostgreSQL: ${include.length} of ${all.length} test files. The other ${all.length - include.length} open no database.\n`,
);

export default defineConfig({ test: { ...suite.test, include, exclude: [] } });
