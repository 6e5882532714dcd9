import { Router } from 'express';
import type { App } from '../../src/app.ts';
import { isFinished, type Job } from '../../src/jobs/job.ts';
import type { Locale } from '../../src/language.ts';
import type { Video } from '../../src/videos/video.ts';
import type { Voice } from '../../src/voice.ts';
import { presentJob } from '../../tools/jobs/job-output.ts';
import { isVideoId } from '../../tools/jobs/video-job.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { readerOf } from '../request.ts';
import { EVENT_STREAM, type Followed, type StateEvents } from './state-events.ts';

type JobEventsParts = {
  readonly app: Pick<App, 'jobs'>;
  readonly events: StateEvents;
  readonly language: Locale;
  readonly voice: Voice;
  /** The making of a video is a job too. */
  readonly videoJobs: Followed<Video>;
};

/** What OpenAPI says of it. */
export const JOB_EVENTS_ROUTE: DescribedRoute = {
  route: 'GET /v1/jobs/{job_id}/events',
  id: 'follow_job',
  title: 'Follow a job',
  description:
    'Follow a job with server-sent events: the job as it is, then one event per change (progress, completed, failed or canceled), each with the job as get_job returns it.',
  tag: 'jobs',
  ...EVENT_STREAM,
};

/** `GET /v1/jobs/{job_id}/events`: the job, as long as it changes. */
export function createJobEvents({
  app: { jobs },
  events,
  language,
  voice,
  videoJobs,
}: JobEventsParts): Router {
  const router = Router();
  const ownJobs: Followed<Job> = {
    noun: 'job',
    full: 'unavailable.job_streams',
    get: (caller, id) => jobs.read(caller, id),
    follow: jobs.follow,
    isEnded: isFinished,
    say: (job, req) => presentJob(job, readerOf(req, { language, voice })),
  };
  // The router takes HEAD to the same handler.
  router.get('/v1/jobs/:id/events', (req, res) => {
    const { id } = req.params;
    return isVideoId(id) ? events.send(videoJobs, id, req, res) : events.send(ownJobs, id, req, res);
  });
  return router;
}
