import { defineConfig } from 'vitest/config';
import suite, { VIDEO_SUITES } from './vitest.config.ts';

// What real browsers print and shoot, and how frames are painted, encoded and joined.
export default defineConfig({ test: { ...suite.test, include: VIDEO_SUITES, exclude: [] } });
