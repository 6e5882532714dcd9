import { hash } from 'node:crypto';
import { Router } from 'express';
import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { Locale } from '../../src/language.ts';
import { LIMITS } from '../../src/videos/request.ts';
import { requireVideoScope } from '../../tools/jobs/video-job.ts';
import type { Authenticate } from '../auth/authentication.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { limitAccount } from '../rate-limit.ts';
import { parseQuery } from '../rest/parse-query.ts';
import { hasTag } from '../rest/response.ts';
import { setSandbox } from '../security-headers.ts';

type VideoFrameParts = {
  readonly app: Pick<App, 'videos' | 'rateLimits'>;
  readonly authenticate: Authenticate;
  readonly language: Locale;
};

const Moment = z
  .object({ t: z.string().transform(Number).pipe(z.number().min(0).max(LIMITS.seconds.max)) })
  .strict();

/** What OpenAPI says of it. */
export const VIDEO_FRAME_ROUTE: DescribedRoute = {
  route: 'GET /videos/{video_id}/frame',
  id: 'get_video_frame',
  title: 'Get a video frame',
  description:
    'Get one frame of a video as an image, rendered on request, also while the video is still rendering. JPEG if the client prefers it, otherwise PNG.',
  tag: 'videos',
  credential: 'needed',
  query: { t: 'Time in seconds; past the end, the last frame' },
  answers: {
    200: { about: 'The image', mediaType: 'image/png' },
    304: { about: 'Unchanged since If-None-Match' },
  },
};

/** `GET /videos/{video_id}/frame?t=`: takes browser time, so it has its own rate limit. */
export function createVideoFrameRoute({ app, authenticate, language }: VideoFrameParts): Router {
  const router = Router();
  router.get('/videos/:video_id/frame', async (req, res) => {
    const caller = await authenticate(req);
    requireVideoScope({ caller }, 'videos:read', 'get_video');
    const { t: seconds } = parseQuery(Moment, req, language);
    await limitAccount(app, 'frame', caller, res);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const type = req.accepts(['image/png', 'image/jpeg']) === 'image/jpeg' ? 'jpeg' : 'png';
    const asked = { seconds, type, signal: gone.signal } as const;
    const picture = await app.videos.frame(caller.accountId, req.params.video_id, asked);
    const tag = hash('sha256', picture, 'base64url');
    // Its template and data are as they were asked for; what it loads from elsewhere may have changed.
    res.set({ ETag: `"${tag}"`, 'Cache-Control': 'private, no-cache' });
    setSandbox(res);
    res.vary('Accept');
    if (hasTag(req, tag)) return void res.status(304).end();
    res.set('Content-Type', `image/${type}`).end(picture);
  });
  return router;
}
