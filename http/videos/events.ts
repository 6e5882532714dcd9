import { type Request, Router } from 'express';
import type { App } from '../../src/app.ts';
import type { Locale } from '../../src/language.ts';
import { isEnded, type Video } from '../../src/videos/video.ts';
import type { Voice } from '../../src/voice.ts';
import { presentVideoJob, requireVideoScope } from '../../tools/jobs/video-job.ts';
import { presentVideo, readerOf as videoReaderOf } from '../../tools/videos/video-output.ts';
import { EVENT_STREAM, type Followed, type StateEvents } from '../jobs/state-events.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { baseUrlOf, readerOf } from '../request.ts';

type VideoEventsParts = {
  readonly app: Pick<App, 'videos'>;
  readonly events: StateEvents;
  readonly language: Locale;
  readonly voice: Voice;
  readonly publicUrl: string | undefined;
};

/** What OpenAPI says of it. */
export const VIDEO_EVENTS_ROUTE: DescribedRoute = {
  route: 'GET /videos/{video_id}/events',
  id: 'follow_video',
  title: 'Follow a video',
  description:
    'Follow a video with server-sent events: the video as it is, then one event per change (progress, completed, failed or canceled), each with the video as get_video returns it.',
  tag: 'videos',
  ...EVENT_STREAM,
};

/** `GET /videos/{video_id}/events`: the video, as long as it changes; `videoJobs` are the same as jobs. */
export function createVideoEvents({ app, events, language, voice, publicUrl }: VideoEventsParts) {
  const router = Router();
  const work: Followed<Video> = {
    noun: 'video',
    full: 'unavailable.video_streams',
    get(caller, id) {
      requireVideoScope({ caller }, 'videos:read', 'get_video');
      return app.videos.get(caller.accountId, id);
    },
    follow: app.videos.follow,
    isEnded,
    say: (video, req) => presentVideo(video, videoReaderOf(callOf(req))),
  };
  const videoJobs: Followed<Video> = { ...work, say: (video, req) => presentVideoJob(video, callOf(req)) };
  // The router takes HEAD to the same handler.
  router.get('/videos/:video_id/events', (req, res) => events.send(work, req.params.video_id, req, res));
  return { router, videoJobs };

  function callOf(req: Request) {
    return { app, ...readerOf(req, { language, voice }), baseUrl: baseUrlOf(req, publicUrl) };
  }
}
