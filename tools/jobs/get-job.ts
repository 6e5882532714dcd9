import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { JobAnswer, presentJob } from './job-output.ts';
import { isVideoId, presentVideoJob, requireVideoScope } from './video-job.ts';

export const getJob = defineTool({
  name: 'get_job',
  title: 'Get a job',
  description:
    "Get the status, progress and result of a background job, including a video render. id is the job's ID, or a video's. For a video's file URL, use get_video.",
  toolset: 'jobs',
  effect: 'read',
  scope: 'any',
  rest: { route: 'GET /v1/jobs/{id}' },
  mcp: { core: true },
  input: z.object({ id: z.string().max(64) }),
  output: JobAnswer,
  run: async ({ id }, call) => {
    const { app, caller, locale } = call;
    if (!isVideoId(id)) return presentJob(await app.jobs.read(caller, id), locale);
    requireVideoScope(call, 'videos:read', 'get_video');
    return presentVideoJob(await app.videos.get(caller.accountId, id), call);
  },
  examples: [{ title: 'A queued job', input: { id: 'job_01khzjq5vb3nq8w2d7rt0c' } }],
});
