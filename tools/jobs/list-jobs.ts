import { z } from 'zod';
import { JobStatus } from '../../src/jobs/job.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { JobAnswer, presentJob } from './job-output.ts';

export const listJobs = defineTool({
  name: 'list_jobs',
  title: 'List jobs',
  description:
    'List the background jobs you may see, newest first, with status and progress. Finished jobs are kept for 7 days. For videos, use list_videos.',
  keywords: {
    en: [
      'background jobs',
      'what is running',
      'queue',
      'running tasks',
      'pending work',
      'what is being worked on now',
      'jobs in progress',
    ],
    es: [
      'trabajos en segundo plano',
      'qué se está ejecutando',
      'cola',
      'tareas en curso',
      'pendientes',
      'qué se está haciendo ahora',
      'trabajos en marcha',
      'qué trabajos hay',
    ],
  },
  toolset: 'jobs',
  effect: 'read',
  scope: 'any',
  rest: { route: 'GET /v1/jobs' },
  input: z.object({ status: JobStatus.optional(), ...paging }),
  output: page(JobAnswer),
  run: async (filter, call) => {
    const { app, caller } = call;
    const { items, ...more } = await app.jobs.list(caller, filter);
    return { items: items.map((job) => presentJob(job, call)), ...more };
  },
  examples: [{ title: 'Failed jobs', input: { status: 'failed' } }],
});
