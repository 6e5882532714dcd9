import { defineConfig } from 'vitest/config';
import suite, { PROCESS_SUITES, SKIPPED } from './vitest.config.ts';

// Commands, the doctor, backups, and what starts a process of its own.
export default defineConfig({ test: { ...suite.test, include: PROCESS_SUITES, exclude: [...SKIPPED] } });
