import type { Blobs } from '../../platform/blobs/blobs.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Composition, FilledPage } from '../composition/composition.ts';
import type { Quality, Stages } from '../frames/stage.ts';
import type { VideoFormat } from '../video.ts';
import type { Ends } from './ends.ts';
import type { OpenStages } from './open-stages.ts';
import type { Turns } from './turns.ts';

/** The port: what pages are painted from. */
export type Compositions = {
  /** @throws Fault video_failed.asset; the signal's reason */
  gather(page: FilledPage, signal: AbortSignal, accountId: string): Promise<Composition>;
  keep(prefix: string, composition: Composition): Promise<void>;
  load(prefix: string): Promise<Composition | undefined>;
  remove(prefix: string): Promise<void>;
  /** Equal for equal videos. */
  hash(composition: Composition, how: HowMade): string;
};

/** What of a video is not in its composition. */
type HowMade = {
  readonly format: VideoFormat;
  readonly quality: Quality;
  readonly posterFrame: number;
  /** Of the engine, see `Stages`. */
  readonly fingerprint: string;
};

/** The port: makes the file of a video out of its chunks. */
export type Assemble = (work: {
  readonly composition: Composition;
  readonly format: Exclude<VideoFormat, 'png'>;
  /** In their order. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** An empty folder that is removed afterwards. */
  readonly folder: string;
  readonly signal: AbortSignal;
}) => Promise<{ readonly path: string }>;

/** What videos are made with. */
export type Making = {
  readonly sql: Sql;
  readonly blobs: Blobs;
  readonly compositions: Compositions;
  readonly stages: Pick<Stages, 'fingerprint'>;
  readonly openStages: OpenStages;
  readonly assemble: Assemble;
  readonly turns: Turns;
  readonly ends: Ends;
  readonly log: Log;
};
