import { z } from 'zod';
import type { StoredFault } from '../platform/stored-fault.ts';

export const VideoStatus = z.enum(['pending', 'rendering', 'finalizing', 'completed', 'failed', 'canceled']);
export type VideoStatus = z.output<typeof VideoStatus>;

export const VideoFormat = z.enum(['mp4', 'webm', 'gif', 'png']);
export type VideoFormat = z.output<typeof VideoFormat>;

/** What made a video: see `EngineUsed` in frames/stage.ts. */
export const VideoEngine = z.object({
  path: z.enum(['canvas', 'in_page', 'screenshot']),
  reason: z.string().optional(),
  browser: z.string(),
  encoder: z.string(),
});

/** A video as it is kept. */
export type Video = {
  readonly id: string;
  readonly title: string;
  /** Seconds. */
  readonly duration: number;
  readonly template: string;
  readonly status: VideoStatus;
  readonly format: VideoFormat;
  readonly quality: 'draft' | 'standard' | 'high';
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly frames: { readonly done: number; readonly total: number };
  /** Seconds until it is completed, as far as can be told. */
  readonly etaSeconds: number | null;
  readonly error: StoredFault | null;
  /** Counts the retries, from 1. */
  readonly attempt: number;
  /** Raised by every change a reader can see. */
  readonly revision: number;
  readonly engine: z.output<typeof VideoEngine> | null;
  readonly sizeBytes: number | null;
  readonly hasPoster: boolean;
  readonly hasCaptions: boolean;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
};

/** True for a video that nothing will change any more, but a retry. */
export function isEnded({ status }: Pick<Video, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}
