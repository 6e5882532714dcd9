import { Router } from 'express';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import type { Video } from '../../src/videos/video.ts';
import type { Voice } from '../../src/voice.ts';
import type { Authenticate } from '../auth/authentication.ts';
import { PREVIEW_FILE_ROUTES } from '../files/previews.ts';
import type { Followed, StateEvents } from '../jobs/state-events.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { createVideoEvents, VIDEO_EVENTS_ROUTE } from './events.ts';
import { createVideoFiles, VIDEO_FILE_ROUTES } from './files.ts';
import { createVideoFrameRoute, VIDEO_FRAME_ROUTE } from './frames.ts';
import { createVideoPreview, VIDEO_PREVIEW_LINK_ROUTE, VIDEO_PREVIEW_ROUTE } from './preview.ts';

type VideoRouteParts = {
  readonly app: Pick<App, 'videos' | 'files' | 'rateLimits'>;
  readonly authenticate: Authenticate;
  readonly events: StateEvents;
  readonly config: Pick<Config, 'defaultLanguage' | 'publicUrl' | 'authMode'>;
  readonly voice: Voice;
};

/** What OpenAPI says of the routes of videos that are no tools. */
export const VIDEO_ROUTES: readonly DescribedRoute[] = [
  VIDEO_EVENTS_ROUTE,
  ...VIDEO_FILE_ROUTES,
  VIDEO_FRAME_ROUTE,
  VIDEO_PREVIEW_ROUTE,
  VIDEO_PREVIEW_LINK_ROUTE,
  ...PREVIEW_FILE_ROUTES,
];

/**
 * The routes of videos that are no tools, and the making of videos as `jobs` to follow.
 *
 * In: the ID of a video, or a template with data. Out: files, frames, previews and events. Invariant: what belongs to
 * an account opens with its credential or with a link of it.
 */
export function createVideoRoutes({ app, authenticate, events, config, voice }: VideoRouteParts): {
  readonly router: Router;
  readonly jobs: Followed<Video>;
} {
  const { defaultLanguage: language, publicUrl, authMode } = config;
  const told = createVideoEvents({ app, events, language, voice, publicUrl });
  const router = Router();
  router.use(told.router);
  router.use(createVideoFiles({ app, authenticate, authMode }));
  router.use(createVideoFrameRoute({ app, authenticate, language }));
  router.use(createVideoPreview({ app, authenticate, language, voice, publicUrl }));
  return { router, jobs: told.videoJobs };
}
