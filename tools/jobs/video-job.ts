import type { Scope } from '../../src/identity/caller.ts';
import type { JobStatus } from '../../src/jobs/job.ts';
import type { Video } from '../../src/videos/video.ts';
import type { Call } from '../contract/define.ts';
import { problem } from '../contract/problem.ts';
import { requireScope } from '../contract/require-scope.ts';
import { presentVideo, readerOf, videoFault } from '../videos/video-output.ts';
import type { JobAnswer } from './job-output.ts';

/** True for the ID of a video: rendering it is a job too, under the same ID. */
export function isVideoId(id: string): boolean {
  return id.startsWith('vid_');
}

/** Jobs are for every credential, videos are not. @throws Fault insufficient_scope.key */
export function requireVideoScope({ caller }: Pick<Call, 'caller'>, scope: Scope, tool: string): void {
  requireScope(tool, scope, caller);
}

const STATUS: Readonly<Record<Video['status'], JobStatus>> = {
  pending: 'queued',
  rendering: 'running',
  finalizing: 'running',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
};

/** The rendering of a video as a job, whose result is the video. */
export async function presentVideoJob(
  video: Video,
  call: Parameters<typeof readerOf>[0],
): Promise<JobAnswer> {
  const { id, status, frames, error, createdAt, endedAt } = video;
  return {
    id,
    tool: 'create_video',
    status: STATUS[status],
    progress: { ...frames, message: status },
    ...(status === 'completed' && { result: await presentVideo(video, readerOf(call)) }),
    ...(error && { error: problem(videoFault({ id, error }), call, id) }),
    created_at: createdAt.toISOString(),
    ...(endedAt && { finished_at: endedAt.toISOString() }),
  };
}
