import { z } from 'zod';
import { type Job, JobProgress, JobStatus } from '../../src/jobs/job.ts';
import type { Reader } from '../../src/language.ts';
import { restoreFault } from '../../src/platform/stored-fault.ts';
import { problem } from '../contract/problem.ts';

/** A job as its owner sees it. */
export const JobAnswer = z.object({
  id: z.string(),
  tool: z.string(),
  status: JobStatus,
  cancel_requested: z.boolean().optional(),
  progress: JobProgress.optional(),
  result: z.unknown().optional().meta({ description: 'Output of the tool' }),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().optional(),
});
export type JobAnswer = z.output<typeof JobAnswer>;

/** Localizes a job for the caller. Its error is the problem that the call itself would have returned. */
export function presentJob(job: Job, reader: Reader): JobAnswer {
  const { id, tool, status, progress, result, error, created_at, finished_at } = job;
  return {
    id,
    tool,
    status,
    ...(job.cancel_requested && { cancel_requested: true }),
    ...(progress && { progress }),
    ...(status === 'completed' && { result }),
    // The run's lines in the log carry the job's id where a request's carry its own.
    ...(error && { error: problem(restoreFault(error), reader, id) }),
    created_at: created_at.toISOString(),
    ...(finished_at && { finished_at: finished_at.toISOString() }),
  };
}
