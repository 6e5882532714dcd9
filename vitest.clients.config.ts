import { defineConfig } from 'vitest/config';
import faults from './vitest.faults.config.ts';

// Assistants that people use, as they are on npm, with a scripted model behind them.
export default defineConfig({ test: { ...faults.test, include: ['test/real-clients/**/*.test.ts'] } });
