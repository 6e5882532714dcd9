import { type CallToolResult, RELATED_TASK_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import type { Tool } from '../../contract/define.ts';
import { WORK_KINDS } from './kinds.ts';
import type { FoundTask } from './read-task.ts';
import type { Task, TaskStatus } from './task.ts';

/** A task in the core of revision 2025-11-25. */
export type CoreTask = {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** In milliseconds, as `pollInterval` is; null: as long as what it made is there. */
  readonly ttl: number | null;
  readonly pollInterval: number;
};

/** Work whose tool returned an error has failed here, although it has a result. */
export function coreTask({ task, isFailure }: Pick<FoundTask, 'task' | 'isFailure'>): CoreTask {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return {
    taskId,
    status: isFailure ? 'failed' : status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl: ttlMs,
    pollInterval: pollIntervalMs,
  };
}

/** True for a request of a revision before 2026. */
export function isOlder({ mcpReq }: ServerContext): boolean {
  return mcpReq.envelope === undefined;
}

/** Says which task a message is about. */
export function related(taskId: string) {
  return { [RELATED_TASK_META_KEY]: { taskId } };
}

/** Answers a call with a task. */
export function startedCoreTask(task: Task): CallToolResult {
  // The SDK hands a task through only beside the content of a call.
  return { content: [], task: coreTask({ task, isFailure: false }), _meta: related(task.taskId) };
}

/** True for a tool that can take long, or runs some that can: of its calls, some can be tasks. */
export function supportsTasks(tool: Tool): boolean {
  return tool.inner !== undefined || takesLong(tool);
}

/** The tool that refuses to make a task of this call: what does not take long is no task, also where another tool runs it. */
export function refuserOf(tool: Tool, args: unknown): Tool | undefined {
  const run = tool.inner ? tool.inner(args)?.tool : tool;
  return run && takesLong(run) ? undefined : (run ?? tool);
}

function takesLong({ job, name }: Tool): boolean {
  return job === true || WORK_KINDS.some(({ begunBy }) => begunBy.includes(name));
}
