import { z } from 'zod';
import { Fault } from '../../../src/errors.ts';
import type { Job } from '../../../src/jobs/job.ts';
import type { Page } from '../../../src/platform/paging.ts';
import { defineTool } from '../../contract/define.ts';
import { invoke } from '../../contract/invoke.ts';
import { paging } from '../../contract/page.ts';
import { type CoreTask, coreTask } from './core-task.ts';
import { WORK_KINDS, type WorkKind } from './kinds.ts';
import type { Open } from './read-task.ts';
import { taskOfJob, taskOfWork } from './task.ts';

/** Not in any list: the jobs of the caller as they are stored. */
const LIST_JOBS = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description: 'List the jobs of the caller as they are stored.',
  toolset: 'jobs',
  scope: 'any',
  effect: 'read',
  input: z.object(paging),
  output: z.unknown(),
  run: (request, { app, caller }) => app.jobs.list(caller, { ...request, withResults: false }),
  examples: [],
});

const Listed = z.object({
  items: z.array(z.record(z.string(), z.unknown())),
  next_cursor: z.string().nullable(),
});

type Tasks = { readonly tasks: CoreTask[]; readonly next: string | null };
type List = (cursor: string | undefined, reading: Open) => Promise<Tasks>;

/** The sources of tasks, in the order of the list. */
const LISTS: readonly List[] = [listJobs, ...WORK_KINDS.map(listWork)];

/**
 * The tasks that a conversation may follow, newest first of each kind: jobs, videos, sync runs. A cursor says in which kind,
 * and where in it. @throws Fault validation_failed
 */
export async function listTasks(
  cursor: string | undefined,
  reading: Open,
): Promise<{ tasks: CoreTask[]; nextCursor?: string }> {
  const [, at = '0', within = cursor] = /^([0-2]):(.*)$/.exec(cursor ?? '') ?? [];
  for (let kind = Number(at), from = within; kind < LISTS.length; kind += 1, from = '') {
    const list = LISTS[kind] ?? listJobs;
    const { tasks, next } = await list(from === '' ? undefined : from, reading);
    if (next !== null) return { tasks, nextCursor: `${kind}:${next}` };
    if (tasks.length > 0) return { tasks, ...(kind + 1 < LISTS.length && { nextCursor: `${kind + 1}:` }) };
  }
  return { tasks: [] };
}

async function listJobs(cursor: string | undefined, { choice, asModel }: Open): Promise<Tasks> {
  // What its `run` returns.
  const { items, next_cursor: next } = (await invoke(LIST_JOBS, { cursor }, asModel)).output as Page<Job>;
  const open = items.filter(({ tool }) => choice.find(tool) !== undefined);
  return {
    tasks: open.map((job) => coreTask({ task: taskOfJob(job), isFailure: job.status === 'failed' })),
    next,
  };
}

function listWork(kind: WorkKind): List {
  return async (cursor, { choice, asModel }) => {
    const tool = choice.find(kind.list);
    if (!tool || !choice.find(kind.read)) return { tasks: [], next: null };
    const listed = await invoke(tool, { cursor }, asModel).catch((error: unknown) => {
      // A credential for other services has none of this kind.
      if (error instanceof Fault && error.code === 'insufficient_scope') return undefined;
      throw error;
    });
    if (!listed) return { tasks: [], next: null };
    const { items, next_cursor: next } = Listed.parse(listed.output);
    const tasks = items.flatMap((item) => {
      const id = kind.idOf(item);
      const state = kind.stateOf(item);
      return id === undefined ? [] : [coreTask({ task: taskOfWork(id, state), isFailure: state.isFailure })];
    });
    return { tasks, next };
  };
}
