import type { TaskStatus } from './task.ts';

type Members = Readonly<Record<string, unknown>>;

/** Work that has an ID of its own besides jobs: which tools begin it, read it and cancel it. */
export type WorkKind = {
  /** What its IDs begin with. */
  readonly prefix: string;
  readonly begunBy: readonly string[];
  /** The ID in the output of a tool that begins it. */
  readonly idOf: (output: Members) => string | undefined;
  readonly read: string;
  readonly cancel: string;
  readonly list: string;
  /** The argument of both for the ID. */
  readonly argument: string;
  /** What the output of `read` says of it. */
  readonly stateOf: (output: Members) => WorkState;
};

export type WorkState = {
  readonly status: TaskStatus;
  /** It has ended without what was asked for. */
  readonly isFailure: boolean;
  readonly message?: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const WORK_KINDS: readonly WorkKind[] = [
  {
    prefix: 'vid_',
    begunBy: ['create_video', 'retry_video'],
    idOf: ({ id }) => text(id),
    read: 'get_video',
    cancel: 'cancel_video',
    list: 'list_videos',
    argument: 'video_id',
    stateOf: (video) => stateOf(video, ['pending', 'rendering', 'finalizing'], `${video['progress']} %`),
  },
  {
    prefix: 'run_',
    begunBy: ['run_sync', 'retry_sync_run', 'revert_sync_run', 'resolve_conflicts'],
    idOf: ({ run_id, id }) => text(run_id) ?? text(id),
    read: 'get_sync_run',
    cancel: 'cancel_sync_run',
    list: 'list_sync_runs',
    argument: 'run_id',
    stateOf: (run) => stateOf(run, ['queued', 'planning', 'applying']),
  },
];

/** The kind of an ID; undefined for the ID of a job. */
export function kindOfWork(id: string): WorkKind | undefined {
  return WORK_KINDS.find(({ prefix }) => id.startsWith(prefix));
}

function stateOf(output: Members, unfinished: readonly string[], progress?: string): WorkState {
  const { status, created_at: created, started_at: started } = output;
  const isWorking = unfinished.includes(String(status));
  return {
    status: isWorking ? 'working' : status === 'canceled' ? 'cancelled' : 'completed',
    isFailure: status === 'failed',
    message: isWorking ? [status, progress].filter(Boolean).join(', ') : undefined,
    createdAt: String(created),
    updatedAt:
      text(output['finished_at']) ?? text(output['completed_at']) ?? text(started) ?? String(created),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
