import type { CallToolResult, InputRequests } from '@modelcontextprotocol/server';
import {
  type McpServer,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Job } from '../../../src/jobs/job.ts';
import { requestCapabilities } from '../client-capabilities.ts';
import type { WorkState } from './kinds.ts';

/** The extension of the protocol, since revision 2026-07-28. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The parameters of a request about one task. A server lives for one request, so schemas are made outside of it. */
export const OfTask = z.looseObject({ taskId: z.string().max(64) });

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** Work as a client sees it: a job, a video or a sync run, under its own ID. */
export type Task = {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long it can be asked for, from its creation; null: as long as what it made is there. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
  /** What the person is asked, by the keys of the answers, while the status is `input_required`. */
  readonly inputRequests?: InputRequests;
};

/** The outcome of a task. A failed tool has a result that says so; an error is one of ours. */
export type TaskEnd =
  | { readonly result: CallToolResult }
  | { readonly error: { readonly code: number; readonly message: string } };

const DAY_MS = 24 * 60 * 60 * 1000;
/** Finished jobs are kept for 7 days, so none is gone sooner after its creation. */
const JOB_TTL_MS = 7 * DAY_MS;
const POLL_MS = 1_000;

const STATUS: Readonly<Record<Job['status'], TaskStatus>> = {
  queued: 'working',
  running: 'working',
  waiting: 'input_required',
  completed: 'completed',
  // A tool that says no has worked; what the job holds decides.
  failed: 'completed',
  canceled: 'cancelled',
};

export function taskOfJob({ id, status, progress, error, ...job }: Job): Task {
  const updated = job.finished_at ?? job.started_at ?? job.created_at;
  const isOurs = error?.key.startsWith('internal.') ?? false;
  return {
    taskId: id,
    status: isOurs ? 'failed' : STATUS[status],
    ...(progress && STATUS[status] === 'working' && { statusMessage: messageOf(progress) }),
    createdAt: job.created_at.toISOString(),
    lastUpdatedAt: updated.toISOString(),
    ttlMs: JOB_TTL_MS,
    pollIntervalMs: POLL_MS,
  };
}

function messageOf({ done, total, message }: NonNullable<Job['progress']>): string {
  return `${message}, ${done} of ${total}`;
}

export function taskOfWork(id: string, { status, message, createdAt, updatedAt }: WorkState): Task {
  return {
    taskId: id,
    status,
    ...(message !== undefined && { statusMessage: message }),
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

/** True for a task that nothing will change any more. */
export function hasEnded({ status }: Task): boolean {
  return status !== 'working' && status !== 'input_required';
}

/** How a client is answered with a task. */
export type TaskForm = {
  readonly answer: (task: Task) => CallToolResult;
  /** It asked for a task, and takes nothing else. */
  readonly isAsked: boolean;
};

/** Answers a call with a task of the extension: what it comes to is asked for later. */
function startedTask(task: Task): CallToolResult {
  // The SDK knows this kind of result only as one that it hands through.
  return { resultType: 'task', ...task } as unknown as CallToolResult;
}

/** Whether the client said with this request that a call may be answered with a task. */
export function knowsTasks(ctx: ServerContext): boolean {
  const declared = requestCapabilities(ctx)?.extensions?.[TASKS_EXTENSION];
  return typeof declared === 'object' && declared !== null;
}

/** @throws MissingRequiredClientCapabilityError */
export function requireTasks(ctx: ServerContext): void {
  if (knowsTasks(ctx)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}

export const EXTENSION_FORM: TaskForm = { answer: startedTask, isAsked: false };

/** Says that the server answers calls with tasks. */
export function declareTasks({ server }: Pick<McpServer, 'server'>): void {
  server.registerCapabilities({ extensions: { [TASKS_EXTENSION]: {} } });
}
