import type { Tool } from '../contract/define.ts';
import { cancelJob } from './cancel-job.ts';
import { getJob } from './get-job.ts';
import { listJobs } from './list-jobs.ts';

/** The operations on background jobs, in the order of the documents. */
export const jobTools: readonly Tool[] = [getJob, listJobs, cancelJob];
