import { z } from 'zod';
import type { Job } from '../../src/jobs/job.ts';
import { type Call, defineTool } from '../contract/define.ts';
import { awaitVideo } from '../videos/await-video.ts';
import { JobAnswer, presentJob } from './job-output.ts';
import { isVideoId, presentVideoJob, requireVideoScope } from './video-job.ts';

/** The job once it has ended, or its state after the wait. */
async function ended(job: Job, seconds: number, { app, signal, progress }: Call): Promise<Job> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
  let newest = job;
  for await (const state of app.jobs.follow(job.account_id, job.id, 0, until)) {
    newest = state;
    if (state.progress) progress(state.progress.done, state.progress.total, state.progress.message);
  }
  return newest;
}

export const getJob = defineTool({
  name: 'get_job',
  title: 'Get a job',
  description:
    "Get the status, progress and result of a background job or a video render. wait_seconds (up to 25) waits for it to finish. For a video's file URL, use get_video.",
  keywords: {
    en: ['job status', 'progress of a task', 'is it done', 'status of a background job'],
    es: ['estado del trabajo', 'progreso de la tarea', 'ya terminó', 'estado de un trabajo en segundo plano'],
  },
  toolset: 'jobs',
  effect: 'read',
  scope: 'any',
  rest: { route: 'GET /v1/jobs/{job_id}' },
  mcp: { core: true },
  input: z.object({ job_id: z.string().max(64), wait_seconds: z.int().min(0).max(25).default(0) }),
  output: JobAnswer,
  run: async ({ job_id: id, wait_seconds: seconds }, call) => {
    const { app, caller } = call;
    if (isVideoId(id)) {
      requireVideoScope(call, 'videos:read', 'get_video');
      return presentVideoJob(await awaitVideo(id, seconds, call), call);
    }
    const job = await app.jobs.read(caller, id);
    return presentJob(seconds > 0 ? await ended(job, seconds, call) : job, call);
  },
  examples: [{ title: 'A queued job', input: { job_id: 'job_01khzjq5vb3nq8w2d7rt0c' } }],
});
