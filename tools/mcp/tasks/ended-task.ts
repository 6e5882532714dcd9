import type { App } from '../../../src/app.ts';
import type { Tool } from '../../contract/define.ts';
import type { Conversation } from '../call.ts';
import { type Task, taskOfJob } from './task.ts';

/** The task of a call that has ended before it could become one, for a client that asked for a task: a job that is done. */
export async function endedTask(
  { tool, output }: { readonly tool: Tool; readonly output: unknown },
  { caller, locale, baseUrl }: Conversation,
  { jobs }: Pick<App, 'jobs'>,
): Promise<Task> {
  const call = { tool: tool.name, input: {}, locale, baseUrl, byModel: true } as const;
  const outcome = Promise.resolve(output);
  const { job } = await jobs.adopt(caller, call, { outcome, cancel: () => {} });
  let last = job;
  for await (const state of jobs.follow(caller.accountId, job.id, 0, AbortSignal.timeout(5_000)))
    last = state;
  return taskOfJob(last);
}
