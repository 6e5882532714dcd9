import { PUBLIC_ASSET_ROUTE } from '../assets/public-files.ts';
import { UPLOAD_LINK_ROUTE } from '../assets/upload-links.ts';
import { INVITATION_ROUTES } from '../auth/invitations.ts';
import { PASSKEY_ROUTES } from '../auth/passkeys.ts';
import { PROVIDER_ROUTES } from '../auth/providers.ts';
import { AUTH_ROUTES } from '../auth/requests.ts';
import { TOTP_ROUTES } from '../auth/totp.ts';
import { CONFIG_ROUTE } from '../config.ts';
import { CONNECT_ROUTES } from '../connect/connect.ts';
import { FILE_ROUTE } from '../files/files.ts';
import { JOB_EVENTS_ROUTE } from '../jobs/events.ts';
import { RUN_EVENTS_ROUTE } from '../sync/events.ts';
import { VIDEO_ROUTES } from '../videos/videos.ts';
import { SHOPIFY_ROUTE, STRIPE_ROUTE } from '../webhooks.ts';
import type { DescribedRoute } from './described-route.ts';

/** Every documented route that is no tool. */
export const DESCRIBED_ROUTES: readonly DescribedRoute[] = [
  ...AUTH_ROUTES,
  ...PASSKEY_ROUTES,
  ...TOTP_ROUTES,
  ...PROVIDER_ROUTES,
  ...INVITATION_ROUTES,
  CONFIG_ROUTE,
  JOB_EVENTS_ROUTE,
  FILE_ROUTE,
  PUBLIC_ASSET_ROUTE,
  UPLOAD_LINK_ROUTE,
  RUN_EVENTS_ROUTE,
  ...CONNECT_ROUTES,
  ...VIDEO_ROUTES,
  STRIPE_ROUTE,
  SHOPIFY_ROUTE,
];
