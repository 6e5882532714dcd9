import { type CallToolResult, type InputRequests, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Fault } from '../../../src/errors.ts';
import { hasAsked, type Job, type Json } from '../../../src/jobs/job.ts';
import { type Locale, localizeFault } from '../../../src/language.ts';
import { restoreFault } from '../../../src/platform/stored-fault.ts';
import { defineTool, type Tool } from '../../contract/define.ts';
import { invoke } from '../../contract/invoke.ts';
import type { Question } from '../../contract/require-confirmed.ts';
import { requireScope } from '../../contract/require-scope.ts';
import { shownId } from '../apps/answer-for-app.ts';
import { formOf } from '../confirm.ts';
import { answerWithin } from '../page-cut.ts';
import { refusal } from '../refusal.ts';
import type { Reading } from '../visit-call.ts';
import { kindOfWork, type WorkKind } from './kinds.ts';
import { storedFiles } from './stored-files.ts';
import { hasEnded, type Task, type TaskEnd, taskOfJob, taskOfWork } from './task.ts';

/** A task, and how to get its result. */
export type FoundTask = {
  readonly task: Task;
  /** It has ended without what was asked for, or its tool said no. */
  readonly isFailure: boolean;
  readonly end?: () => Promise<TaskEnd>;
};

/** One request, with the tools it may use. */
export type Open = Omit<Reading, 'call'>;

const input = z.object({ task_id: z.string().max(64) });
const spec = { toolset: 'jobs', scope: 'any', input, output: z.unknown(), examples: [] } as const;

/** Not in any list: what the methods of tasks do, on the road of every call. */
const GET_JOB = defineTool({
  ...spec,
  name: 'get_task',
  title: 'Get a task',
  description: 'Get a job as it is stored.',
  effect: 'read',
  run: ({ task_id: id }, { app, caller }) => app.jobs.read(caller, id),
});

const CANCEL_JOB = defineTool({
  ...spec,
  name: 'cancel_task',
  title: 'Cancel a task',
  description: 'Cancel a job of the caller; with write access, any job of the account.',
  effect: 'delete',
  async run({ task_id: id }, { app, caller }) {
    const job = await app.jobs.read(caller, id);
    if (!hasAsked(job, caller)) requireScope('cancel_job', 'templates:write', caller);
    return job.finished_at ? job : app.jobs.cancel(caller.accountId, id);
  },
});

const ANSWER_JOB = defineTool({
  ...spec,
  name: 'answer_task',
  title: 'Answer a task',
  description: 'Hand a job what the person said to its questions.',
  effect: 'update',
  input: input.extend({ answers: z.record(z.string(), z.json()) }),
  run: ({ task_id: id, answers }, { app, caller }) => app.jobs.answer(caller, id, answers),
});

/** @throws Fault not_found */
export async function findTask(id: string, reading: Open): Promise<FoundTask> {
  const kind = kindOfWork(id);
  return kind ? findWork(id, kind, reading) : findJob(id, reading);
}

/** Requests the end of a task; one that has ended stays as it is. @throws Fault not_found */
export async function cancelTask(id: string, reading: Open): Promise<void> {
  const { task } = await findTask(id, reading);
  if (hasEnded(task)) return;
  const kind = kindOfWork(id);
  const canceling = kind
    ? invoke(toolOf(kind.cancel, id, reading), { [kind.argument]: id }, reading.asModel)
    : invoke(CANCEL_JOB, { task_id: id }, reading.asModel);
  await canceling.catch((error: unknown) => {
    // It ended between the two.
    if (!(error instanceof Fault && error.code === 'conflict')) throw error;
  });
}

/** A task with what it has come to. @throws Fault not_found */
export async function wholeTask(id: string, reading: Open): Promise<Task & Partial<TaskEnd>> {
  const { task, end } = await findTask(id, reading);
  return { ...task, ...(await end?.()) };
}

/**
 * Hands a task what the person said; it goes on once nothing is open. What it does not ask is left aside.
 * @throws Fault not_found, forbidden.job_answer
 */
export async function answerTask(
  id: string,
  answers: Readonly<Record<string, Json>>,
  reading: Open,
): Promise<void> {
  const { task } = await findTask(id, reading);
  if (task.status === 'input_required') await invoke(ANSWER_JOB, { task_id: id, answers }, reading.asModel);
}

async function findJob(id: string, reading: Open): Promise<FoundTask> {
  const job = (await invoke(GET_JOB, { task_id: id }, reading.asModel)).output as Job;
  const tool = toolOf(job.tool, id, reading);
  const task = taskOfJob(job);
  const isFailure = job.status === 'failed';
  if (job.status === 'waiting')
    return { isFailure, task: { ...task, inputRequests: requestsOf(job, reading.visit.locale) } };
  if (job.status === 'completed')
    return { task, isFailure, end: async () => ({ result: await resultOf(tool, job.result, reading) }) };
  if (!job.error) return { task, isFailure };
  const fault = restoreFault(job.error);
  const end = (): TaskEnd =>
    task.status === 'failed'
      ? {
          error: {
            code: ProtocolErrorCode.InternalError,
            message: localizeFault(fault, reading.visit).detail,
          },
        }
      : { result: refusal(fault, reading.visit, id) };
  return { task, isFailure, end: async () => end() };
}

/** What a waiting job asks, as forms. */
function requestsOf({ questions }: Job, locale: Locale): InputRequests {
  const open = Object.entries(questions).filter(([, { answer }]) => answer === undefined);
  // Its run has asked them.
  return Object.fromEntries(open.map(([key, { asked }]) => [key, formOf(asked as Question, locale)]));
}

async function findWork(id: string, kind: WorkKind, reading: Open): Promise<FoundTask> {
  const tool = toolOf(kind.read, id, reading);
  // Each kind was written for the output of its tool.
  const output = (await invoke(tool, { [kind.argument]: id }, reading.asModel)).output as Readonly<
    Record<string, unknown>
  >;
  const state = kind.stateOf(output);
  const task = taskOfWork(id, state);
  const { isFailure } = state;
  if (task.status !== 'completed') return { task, isFailure };
  const end = async () => {
    const result = await resultOf(tool, output, reading);
    return { result: isFailure ? { ...result, isError: true } : result };
  };
  return { task, isFailure, end };
}

/** The answer that the call itself would have got. */
async function resultOf(tool: Tool, output: unknown, reading: Open): Promise<CallToolResult> {
  const { app, visit, choice, asModel } = reading;
  const { content, ...rest } = await answerWithin(
    { tool, args: {}, output },
    choice.declares(tool, visit.caller),
    asModel,
  );
  const files = await storedFiles(output, app, visit.caller);
  return { ...rest, ...shownId(tool, output), content: [...content, ...files] };
}

/** The tool of a task, which the conversation must be allowed to use. @throws Fault not_found.job */
function toolOf(name: string, id: string, { choice }: Open): Tool {
  const tool = choice.find(name);
  if (!tool) throw new Fault('not_found.job', { id });
  return tool;
}
