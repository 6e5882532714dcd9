import { once } from 'node:events';
import { type Request, type Response, Router } from 'express';
import type { App } from '../src/app.ts';
import { Fault } from '../src/errors.ts';
import { isFinished, type Job } from '../src/jobs/job.ts';
import type { Locale } from '../src/language.ts';
import type { Log } from '../src/platform/log.ts';
import { sayJob } from '../tools/jobs/job-answer.ts';
import type { Authenticate } from './authentication.ts';
import type { DescribedRoute } from './described-route.ts';
import { localeOf } from './request.ts';

type JobEventsParts = {
  readonly app: App;
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly language: Locale;
  readonly limits?: Partial<typeof LIMITS>;
};

const LIMITS = { streams: 20, heartbeatMs: 15_000 };

/** What OpenAPI says of it. */
export const JOB_EVENTS_ROUTE: DescribedRoute = {
  route: 'GET /v1/jobs/{id}/events',
  id: 'follow_job',
  title: 'Follow a job',
  description:
    'The job as it is, then at every change, as server-sent events: progress, completed, failed or canceled, each with the job as get_job shows it.',
  tag: 'jobs',
  credential: 'needed',
  headers: { 'Last-Event-ID': 'The last event seen: only news follow' },
  answers: {
    200: { about: 'The events', mediaType: 'text/event-stream' },
    204: { about: 'The end was seen already' },
  },
};

/**
 * `GET /v1/jobs/{id}/events`: the job as it is, then at every change, as server-sent events `progress`, `completed`,
 * `failed` or `canceled`, numbered by the job's revision. A client that comes back with `Last-Event-ID` gets only news,
 * from any node; one that has seen the end gets 204, after which a browser asks no more.
 */
export function createJobEvents({ app, authenticate, log, language, limits }: JobEventsParts) {
  const { streams, heartbeatMs } = { ...LIMITS, ...limits };
  const open = new Map<string, Set<AbortController>>();
  const router = Router();

  // Has no body, so there is nothing to wait for.
  router.head('/v1/jobs/:id/events', async (req, res) => {
    const { accountId } = await authenticate(req);
    await app.jobs.get(accountId, String(req.params.id));
    begin(res);
    res.end();
  });

  router.get('/v1/jobs/:id/events', async (req, res) => {
    const { accountId } = await authenticate(req);
    const id = String(req.params.id);
    const after = lastEventId(req);
    const job = await app.jobs.get(accountId, id);
    if (hasSeenEnd(job, after)) {
      res.status(204).end();
      return;
    }
    // Its end would not be heard of any more, and its place never be free.
    if (res.destroyed) return;
    const stream = admit(accountId, id);
    res.once('close', () => stream.abort());
    const heartbeat = setInterval(() => beat(res), heartbeatMs);
    try {
      begin(res);
      const locale = localeOf(req, language);
      const { signal } = stream;
      for await (const state of app.jobs.follow(accountId, id, after, signal)) {
        if (!res.write(eventOf(state, locale))) await once(res, 'drain', { signal });
      }
    } catch (error) {
      // The client comes back by itself, and is told then.
      if (!stream.signal.aborted) log.warn({ err: error, job: id }, 'events of a job were cut off');
    } finally {
      clearInterval(heartbeat);
      leave(accountId, stream);
      res.end();
    }
  });

  return {
    router,
    /** Ends every stream; its client comes back with `Last-Event-ID`, here or elsewhere. */
    close(): void {
      for (const own of open.values()) for (const stream of own) stream.abort();
    },
  };

  function admit(accountId: string, id: string): AbortController {
    const own = open.get(accountId) ?? new Set();
    if (own.size >= streams)
      throw new Fault('unavailable.job_streams', { limit: streams, id }, { retryAfterSeconds: 5 });
    const stream = new AbortController();
    open.set(accountId, own.add(stream));
    return stream;
  }

  function leave(accountId: string, stream: AbortController): void {
    const own = open.get(accountId);
    own?.delete(stream);
    if (own?.size === 0) open.delete(accountId);
  }
}

function lastEventId(req: Request): number {
  const sent = req.get('last-event-id') ?? '';
  return /^\d{1,9}$/.test(sent) ? Number(sent) : 0;
}

function hasSeenEnd(job: Job, after: number): boolean {
  return isFinished(job) && job.revision <= after;
}

function begin(res: Response): void {
  res.status(200);
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store');
  // Proxies that gather an answer before they pass it on would defeat the purpose.
  res.setHeader('X-Accel-Buffering', 'no');
  res.flushHeaders();
}

/** Nothing is heaped up for a client that does not read. */
function beat(res: Response): void {
  if (!res.writableNeedDrain) res.write(': still here\n\n');
}

function eventOf(job: Job, locale: Locale): string {
  const event = isFinished(job) ? job.status : 'progress';
  return `id: ${job.revision}\nevent: ${event}\ndata: ${JSON.stringify(sayJob(job, locale))}\n\n`;
}
