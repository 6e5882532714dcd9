import { defineConfig } from 'vitest/config';
import suite, { SKIPPED, TRANSPORT_SUITES } from './vitest.config.ts';

// REST, MCP over HTTP and stdio, the tasks of assistants, and every documented example over every transport.
export default defineConfig({ test: { ...suite.test, include: TRANSPORT_SUITES, exclude: [...SKIPPED] } });
