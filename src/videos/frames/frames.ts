import type { Composition } from '../composition/composition.ts';

/** Frames `from` to `to`, the last one not included. */
export type Span = { readonly from: number; readonly to: number };

export type Quality = 'draft' | 'standard' | 'high';

/** `canvas`: the page painted into a canvas, its pixels encoded outside; `in_page`: the same, encoded in the browser;
 * `screenshot`: pictures of the compositor. */
type CaptureMode = 'canvas' | 'in_page' | 'screenshot';

/** What made the frames and the stream. Equal engines make equal bytes, but for `in_page`. */
export type EngineUsed = {
  readonly path: CaptureMode;
  /** Why it was not the path that comes first; absent when it was. */
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
  /** Told after each frame that is done, with how many of the span are. */
  readonly onFrame: (done: number) => void;
};

/** A piece of the video without sound: a closed stream that begins with a key frame, in a file of its own format. */
export type Chunk = {
  readonly bytes: Uint8Array;
  readonly engine: EngineUsed;
  /** How many frames were painted; the others showed nothing new. */
  readonly painted: number;
};

/** One composition in a browser of its own. One call at a time. */
export type RenderSession = {
  /**
   * @throws Fault video_failed.asset, .never_ready, .nodes, .frame_time, .crashed; not_configured.encoder; and the
   * signal's reason
   */
  renderChunk(request: ChunkRequest): Promise<Chunk>;
  /** One frame as the compositor shows it. */
  still(frame: number, type: 'png' | 'jpeg', signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the browser and all its processes, and removes its profile. */
  close(): Promise<void>;
};

/** The port: opens compositions. */
export type RenderSessions = {
  /** @throws Fault not_configured.browser, unavailable.browser_start; those of `Stage`; and the signal's reason */
  open(composition: Composition, signal: AbortSignal): Promise<RenderSession>;
  /** Names what this machine renders with: pieces of one video are joined only when it is the same for all. */
  fingerprint(): Promise<string>;
};

/** One frame of a span: I420 planes, or a JPEG picture. */
export type PixelFrame = {
  readonly frame: number;
  /** Valid until the next one that is no repeat is asked for. */
  readonly bytes: Uint8Array;
  /** Nothing has changed since the frame before: the bytes are the same. */
  readonly repeat: boolean;
};

/** How long a page may keep the machine waiting. Times are milliseconds. */
export type PageLimits = {
  /** From the start of the page until its first frame can be painted. */
  readonly readyMs: number;
  /** For the painting of one frame. */
  readonly frameMs: number;
  /** For each frame that a page with scripts goes through on its way to another. */
  readonly stepMs: number;
  /** For an answer of the browser in which nothing is painted. */
  readonly answerMs: number;
};

export const PAGE_LIMITS: PageLimits = {
  readyMs: 15_000,
  frameMs: 10_000,
  stepMs: 50,
  answerMs: 10_000,
};
