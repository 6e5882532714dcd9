import { z } from 'zod';
import type { Warning } from '../language.ts';
import type { StoredFault } from '../platform/stored-fault.ts';
import { nameOfRate } from './frame-rate.ts';
import type { VideoRow } from './video-repo.ts';

export const VideoStatus = z.enum(['pending', 'rendering', 'finalizing', 'completed', 'failed', 'canceled']);
export type VideoStatus = z.output<typeof VideoStatus>;

export const VideoFormat = z.enum(['mp4', 'webm', 'gif', 'png']);
export type VideoFormat = z.output<typeof VideoFormat>;

/** The browser and encoder of a video: see `EngineUsed` in frames/frames.ts. */
export const VideoEngine = z.object({
  path: z.enum(['canvas', 'in_page', 'screenshot']),
  reason: z.string().optional(),
  browser: z.string(),
  encoder: z.string(),
});

/** What a video took from the account's brand. */
export const BrandTaken = z.object({ brand: z.string(), version: z.number(), fields: z.array(z.string()) });
export type BrandTaken = z.output<typeof BrandTaken>;

/** A stored video. */
export type Video = {
  readonly id: string;
  readonly title: string;
  /** Seconds. */
  readonly duration: number;
  readonly template: string;
  /** Version of the account's own template; null for a built-in one. */
  readonly templateVersion: number | null;
  readonly brand: BrandTaken | null;
  readonly status: VideoStatus;
  readonly format: VideoFormat;
  readonly quality: 'draft' | 'standard' | 'high';
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly frames: { readonly done: number; readonly total: number };
  /** Estimated seconds until it is completed. */
  readonly etaSeconds: number | null;
  readonly error: StoredFault | null;
  /** Warnings: those known at its creation, then those found while rendering. */
  readonly warnings: readonly Warning[];
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Incremented by every visible change. */
  readonly revision: number;
  readonly engine: z.output<typeof VideoEngine> | null;
  readonly sizeBytes: number | null;
  readonly hasPoster: boolean;
  readonly hasCaptions: boolean;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
};

/** True when the video can change only by a retry. */
export function isEnded({ status }: Pick<Video, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

/** Converts a row. */
export function toVideo(row: VideoRow): Video {
  const { id, title, duration, template, status, format, quality, width, height } = row;
  const { error, attempt, revision, engine, files } = row;
  const done = status === 'completed' ? row.frames : row.frames_done;
  return {
    ...{ id, title, duration, template, status, format, quality, width, height, fps: nameOfRate(row.fps) },
    frames: { done, total: row.frames },
    templateVersion: row.template_version,
    brand: row.brand,
    etaSeconds: etaOf(row),
    warnings: [...row.warnings, ...row.render_warnings],
    ...{ error, attempt, revision, engine },
    sizeBytes: files?.file.bytes ?? null,
    hasPoster: files?.poster !== undefined,
    hasCaptions: files?.captions !== undefined,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}

/** Estimated from the speed of this attempt, once it has rendered frames. */
function etaOf({ status, frames, frames_done, frames_kept, running_for }: VideoRow): number | null {
  const painted = frames_done - frames_kept;
  if (status !== 'rendering' || painted <= 0 || running_for === null) return null;
  return Math.ceil(((frames - frames_done) * running_for) / painted);
}
