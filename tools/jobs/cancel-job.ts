import { z } from 'zod';
import type { Caller } from '../../src/identity/caller.ts';
import { hasAsked } from '../../src/jobs/job.ts';
import { defineTool } from '../contract/define.ts';
import { requireScope } from '../contract/require-scope.ts';
import { JobAnswer, presentJob } from './job-output.ts';
import { isVideoId, presentVideoJob, requireVideoScope } from './video-job.ts';

export const cancelJob = defineTool({
  name: 'cancel_job',
  title: 'Cancel a job',
  description:
    'Cancel a background job, including a video render. A queued job stops immediately, a running one shortly after. Work already done is not undone.',
  keywords: {
    en: ['stop a job', 'abort a task', 'kill', 'stop something in the background'],
    es: ['cancelar trabajo', 'detener una tarea', 'parar', 'cancelar algo en segundo plano'],
  },
  toolset: 'jobs',
  effect: 'delete',
  scope: 'any',
  rest: { route: 'DELETE /v1/jobs/{job_id}' },
  mcp: { core: true },
  input: z.object({ job_id: z.string().max(64) }),
  output: JobAnswer,
  run: async ({ job_id: id }, call) => {
    const { app, caller } = call;
    if (!isVideoId(id)) {
      const job = await app.jobs.read(caller, id);
      if (!hasAsked(job, caller) && isReader(caller)) requireScope('cancel_job', 'templates:write', caller);
      return presentJob(await app.jobs.cancel(caller.accountId, id), call);
    }
    requireVideoScope(call, 'videos:write', 'cancel_video');
    return presentVideoJob(await app.videos.cancel(caller.accountId, id), call);
  },
  examples: [{ title: 'A queued job', input: { job_id: 'job_01khzjq5vb3nq8w2d7rt0c' } }],
});

/** Someone who only reads may cancel what they asked for, and nothing else. */
function isReader({ scopes }: Caller): boolean {
  return scopes.every((scope) => scope.endsWith(':read') || scope === 'templates:render');
}
