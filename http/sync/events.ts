import { Router } from 'express';
import type { App } from '../../src/app.ts';
import type { Locale } from '../../src/language.ts';
import { isFinished, type Run } from '../../src/sync/runs/run.ts';
import type { Voice } from '../../src/voice.ts';
import { requireScope } from '../../tools/contract/require-scope.ts';
import { presentRun } from '../../tools/sync/run-output.ts';
import { EVENT_STREAM, type Followed, type StateEvents } from '../jobs/state-events.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import { readerOf } from '../request.ts';

type RunEventsParts = {
  readonly app: Pick<App, 'sync'>;
  readonly events: StateEvents;
  readonly language: Locale;
  readonly voice: Voice;
};

/** What OpenAPI says of it. */
export const RUN_EVENTS_ROUTE: DescribedRoute = {
  route: 'GET /sync/history/{run_id}/events',
  id: 'follow_sync_run',
  title: 'Follow a sync run',
  description:
    'Follow a sync run with server-sent events: the run as it is, then one event per change (progress, succeeded, partial, failed or canceled), each with the run as get_sync_run returns it.',
  tag: 'sync',
  ...EVENT_STREAM,
};

/** `GET /sync/history/{run_id}/events`: the run, as long as it changes. */
export function createRunEvents({ app: { sync }, events, language, voice }: RunEventsParts): Router {
  const router = Router();
  const work: Followed<Run> = {
    noun: 'run',
    full: 'unavailable.sync_streams',
    get(caller, id) {
      requireScope('get_sync_run', 'sync:read', caller);
      return sync.runs.get(caller.accountId, id);
    },
    follow: sync.runs.follow,
    isEnded: isFinished,
    say: (run, req) => presentRun(run, readerOf(req, { language, voice })),
  };
  // The router takes HEAD to the same handler.
  router.get('/sync/history/:id/events', (req, res) => events.send(work, req.params.id, req, res));
  return router;
}
