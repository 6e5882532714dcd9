import { defineConfig } from 'vitest/config';
import suite, { PROCESS_SUITES } from './vitest.config.ts';

// The command line, stdio, the doctor, backups, and every documented example over every transport.
export default defineConfig({ test: { ...suite.test, include: PROCESS_SUITES, exclude: [] } });
