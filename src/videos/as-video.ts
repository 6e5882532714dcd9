import type { VideoRow } from './store.ts';
import type { Video } from './video.ts';

/** A row as the rest of the product knows a video. */
export function asVideo(row: VideoRow): Video {
  const { id, title, duration, template, status, format, quality, width, height, fps } = row;
  const { error, attempt, revision, engine, files } = row;
  const done = status === 'completed' ? row.frames : row.frames_done;
  return {
    ...{ id, title, duration, template, status, format, quality, width, height, fps },
    frames: { done, total: row.frames },
    etaSeconds: etaOf(row),
    ...{ error, attempt, revision, engine },
    sizeBytes: files?.file.bytes ?? null,
    hasPoster: files?.poster !== undefined,
    hasCaptions: files?.captions !== undefined,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}

/** By the pace of this attempt, once it has one. */
function etaOf({ status, frames, frames_done, frames_kept, running_for }: VideoRow): number | null {
  const painted = frames_done - frames_kept;
  if (status !== 'rendering' || painted <= 0 || running_for === null) return null;
  return Math.ceil(((frames - frames_done) * running_for) / painted);
}
