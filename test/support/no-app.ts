import type { App } from '../../src/app.ts';
import { createMetrics } from '../../src/platform/metrics/metrics.ts';
import { NO_TRACING } from '../../src/platform/tracing/tracing.ts';

/** For tools that use nothing of the app: all that their calls ask of it is whether they may be made, and to be counted. */
export const noApp = {
  metrics: createMetrics(),
  tracing: NO_TRACING,
  rateLimits: { requireWithin: async () => {} },
  notices: { hear: () => () => {} },
  // Whatever else a test came to use would be missing.
} as unknown as App;
