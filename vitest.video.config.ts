import { defineConfig } from 'vitest/config';
import suite, { VIDEO_SUITES } from './vitest.config.ts';

// How frames are painted, encoded and joined, in real browsers and encoders.
export default defineConfig({ test: { ...suite.test, include: VIDEO_SUITES, exclude: [] } });
