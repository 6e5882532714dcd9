import type { Warning } from '../../language.ts';
import type { Composition } from '../composition/composition.ts';

/** Frames `from` to `to`, `to` excluded. */
export type Span = { readonly from: number; readonly to: number };

export type Quality = 'draft' | 'standard' | 'high';

/**
 * `canvas`: the page paints itself onto a canvas and its pixels are encoded outside the browser. `in_page`: the same,
 * encoded in the browser. `screenshot`: screenshots of the compositor, the fallback.
 */
type CaptureMode = 'canvas' | 'in_page' | 'screenshot';

/** The browser and encoder that made a chunk. Equal engines make equal bytes, except with `in_page`. */
export type EngineUsed = {
  readonly path: CaptureMode;
  /** Why another mode than `canvas` was used. */
  readonly reason?: string;
  /** Such as `HeadlessChrome/156.0.1` and `ffmpeg 5.1.9 libx264`. */
  readonly browser: string;
  readonly encoder: string;
};

export type ChunkRequest = {
  readonly span: Span;
  readonly format: 'mp4' | 'webm';
  readonly quality: Quality;
  readonly signal: AbortSignal;
  /** Called after each frame with the number of finished frames of the span. */
  readonly onFrame: (done: number) => void;
};

/** A part of the video without sound: a closed stream that starts with a key frame, in its own file. */
export type Chunk = {
  readonly bytes: Uint8Array;
  readonly engine: EngineUsed;
  /** Number of painted frames; the others repeat the frame before. */
  readonly painted: number;
  /** Of a transparent video: nothing is transparent in this chunk. */
  readonly isOpaque?: boolean;
};

/** One composition open in its own browser. One call at a time. */
export type RenderSession = {
  /** What the page leaves transparent stays so. */
  readonly transparent: boolean;
  /** Warnings about the page, such as texts that do not fit. */
  readonly warnings: readonly Warning[];
  /**
   * @throws Fault video_failed.asset, .never_ready, .nodes, .frame_time, .crashed; script_failed; not_configured.painting,
   * .transparent; and the signal's reason
   */
  renderChunk(request: ChunkRequest): Promise<Chunk>;
  /** One frame as the compositor shows it; of a transparent video, a JPEG has it on white. */
  still(frame: number, type: 'png' | 'jpeg', signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the browser with all its processes and removes its profile. */
  close(): Promise<void>;
};

/**
 * The port of rendering. In: a composition. Out: chunks of encoded frames, and stills. Invariant: a frame looks the
 * same in whatever chunk, order or capture mode it is painted; a page that cannot guarantee it falls back to
 * screenshots.
 */
export type RenderSessions = {
  /** @throws Fault not_configured.browser, unavailable.browser_start; those of `RenderSession`; and the signal's reason */
  open(composition: Composition, signal: AbortSignal): Promise<RenderSession>;
  /** Identifies the engine of this machine: chunks of one video are joined only when it is the same for all. */
  fingerprint(): Promise<string>;
};

/** One frame of a span: I420 planes, or a JPEG or PNG image. */
export type PixelFrame = {
  readonly frame: number;
  /** Valid until the next frame that is not a repeat is requested. */
  readonly bytes: Uint8Array;
  /** Nothing changed since the frame before: the bytes are the same. */
  readonly repeat: boolean;
};

/** Time limits of a page, in milliseconds. */
export type PageLimits = {
  /** From the load of the page until its first frame can be painted. */
  readonly readyMs: number;
  /** For painting one frame. */
  readonly frameMs: number;
  /** For each frame that a page with scripts passes on its way to another. */
  readonly stepMs: number;
  /** For a browser call that paints nothing. */
  readonly answerMs: number;
};

export const PAGE_LIMITS: PageLimits = {
  readyMs: 15_000,
  frameMs: 10_000,
  stepMs: 50,
  answerMs: 10_000,
};
