import { AUTH_ROUTES } from './auth-routes.ts';
import { CONFIG_ROUTE } from './config.ts';
import type { DescribedRoute } from './described-route.ts';
import { FILE_ROUTE } from './files.ts';
import { JOB_EVENTS_ROUTE } from './job-events.ts';
import { VIDEO_ROUTES } from './video-routes.ts';
import { SHOPIFY_ROUTE, STRIPE_ROUTE } from './webhooks.ts';

/** Every documented route that is no tool. */
export const DESCRIBED_ROUTES: readonly DescribedRoute[] = [
  ...AUTH_ROUTES,
  CONFIG_ROUTE,
  JOB_EVENTS_ROUTE,
  FILE_ROUTE,
  ...VIDEO_ROUTES,
  STRIPE_ROUTE,
  SHOPIFY_ROUTE,
];
