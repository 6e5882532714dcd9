import type { Blobs } from '../../platform/blobs/blobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Composition, FilledPage } from '../composition/composition.ts';
import type { Quality, RenderSessions } from '../frames/frames.ts';
import type { VideoFormat } from '../video.ts';
import type { FinishDeps } from './finish.ts';
import type { OpenStages } from './open-stages.ts';

/** The port: the pages that are rendered, with their assets. */
export type Compositions = {
  /** @throws Fault video_failed.asset; the signal's reason */
  gather(page: FilledPage, signal: AbortSignal, accountId: string): Promise<Composition>;
  keep(prefix: string, composition: Composition): Promise<void>;
  load(prefix: string): Promise<Composition | undefined>;
  remove(prefix: string): Promise<void>;
  /** Equal for equal videos. */
  hash(composition: Composition, options: RenderOptions): string;
};

/** The properties of a video that are not in its composition. */
type RenderOptions = {
  readonly format: VideoFormat;
  readonly quality: Quality;
  readonly posterFrame: number;
  /** Of the engine, see `RenderSessions`. */
  readonly fingerprint: string;
};

/** The port: assembles the file of a video from its chunks. */
export type Assemble = (work: {
  readonly composition: Composition;
  readonly format: Exclude<VideoFormat, 'png'>;
  /** In their order. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** An empty folder that is removed afterwards. */
  readonly folder: string;
  readonly signal: AbortSignal;
}) => Promise<{ readonly path: string }>;

/** What rendering a video needs. */
export type RenderContext = FinishDeps & {
  readonly blobs: Blobs;
  readonly compositions: Compositions;
  readonly stages: Pick<RenderSessions, 'fingerprint'>;
  readonly openStages: OpenStages;
  readonly assemble: Assemble;
  readonly log: Log;
};
