import { hash } from 'node:crypto';
import { stableJson } from '../../platform/stable-json.ts';
import type { Quality } from '../frames/frames.ts';
import type { VideoFormat } from '../video.ts';

/** A file that a page shows or a sound track plays. */
export type CompositionAsset = { readonly bytes: Uint8Array; readonly mediaType: string };

/** One caption; `start` and `end` are seconds from the beginning of the video, `end` not included. */
export type Cue = { readonly start: number; readonly end: number; readonly text: string };

/** A sound under the video. Times are seconds of the video; volumes are factors, 1 as recorded. */
export type Track = {
  /** Where its bytes are: an address before assets are gathered, then the key of an asset. */
  readonly source: string;
  readonly start: number;
  readonly volume: number;
  readonly fadeIn: number;
  readonly fadeOut: number;
  /** Begins again when it is over, until the video ends. */
  readonly loop: boolean;
  /** Becomes quieter while a track without this is heard, such as music under a voice. */
  readonly duck: boolean;
};

/** The measures of a video. Frame `i` shows the moment `i / fps`, in seconds. */
export type Timing = {
  /** In pixels, both even. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly frames: number;
};

/** A template filled with data: a whole document with `#stage` in it, whose assets are still addresses. */
export type FilledPage = Timing & {
  readonly html: string;
  /** The template may run its own scripts. */
  readonly scripts: boolean;
  readonly tracks: readonly Track[];
  readonly captions: readonly Cue[];
};

/** Everything a video is painted and sounded from: nothing of it is fetched any more. */
export type Composition = FilledPage & {
  /** By key, `assets/<sha256>`, which is also its path on the page's own origin: the html and the tracks name it so. */
  readonly assets: ReadonlyMap<string, CompositionAsset>;
};

type RenderIdentity = {
  readonly format: VideoFormat;
  readonly quality: Quality;
  /** The frame that the poster shows. */
  readonly posterFrame: number;
  /** As `Stages.fingerprint`. */
  readonly fingerprint: string;
};

/** Names what a video is made of and how, in hexadecimal: equal ones make the same video. */
export function contentHash(composition: Composition, how: RenderIdentity): string {
  const { assets, ...page } = composition;
  // The key of an asset is the hash of its bytes.
  const files = [...assets].map(([key, { mediaType }]) => `${key} ${mediaType}`).sort();
  return hash('sha256', stableJson({ page, files, how }));
}
