import { hash } from 'node:crypto';
import type { Warning } from '../../language.ts';
import { stableJson } from '../../platform/stable-json.ts';
import type { Quality } from '../frames/frames.ts';
import type { BrandTaken, VideoFormat } from '../video.ts';
import type { PagePartial } from './page-partials.ts';

/** A file that a page shows or a sound track plays. */
export type CompositionAsset = { readonly bytes: Uint8Array; readonly mediaType: string };

type Spoken = { readonly start: number; readonly end: number; readonly text: string };

/**
 * One caption; `start` and `end` are seconds from the start of the video, `end` excluded. `words` say when each word is
 * spoken.
 */
export type Cue = Spoken & { readonly words?: readonly Spoken[] | undefined };

/** A sound of the video. Times are seconds of the video; volumes are factors, 1 as recorded. */
export type Track = {
  /** An address before assets are collected, then the key of an asset. */
  readonly source: string;
  readonly start: number;
  readonly volume: number;
  readonly fadeIn: number;
  readonly fadeOut: number;
  /** Repeats until the video ends. */
  readonly loop: boolean;
  /** Becomes quieter while a track without `duck` is heard, such as music under a voice. */
  readonly duck: boolean;
  /** The part of the source that is played, in its seconds; by default all of it. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** 2 plays it twice as fast, at the same pitch. */
  readonly speed?: number | undefined;
  /** Ends here at the latest, such as at the end of a scene. */
  readonly until?: number | undefined;
  /** The sound of a clip. */
  readonly clip?: ClipSound | undefined;
};

/** Offset of a clip's sound from its frames; all are 0 until the clip is read. Times are seconds. */
export type ClipSound = {
  /** Of the clip, before its sound begins. */
  readonly delay: number;
  /** Of its picture. */
  readonly duration: number;
  /** Where the clock of the file begins: 0, except in recordings of streams. */
  readonly zero: number;
};

/** Size and timing of a video. Frame `i` shows the moment `i / fps`, in seconds. */
export type Timing = {
  /** In pixels, both even. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly frames: number;
};

/** A template filled with data: a complete document with `#stage`, whose assets are still addresses. */
export type FilledPage = Timing & {
  readonly html: string;
  /** The template may run its own scripts. */
  readonly scripts: boolean;
  readonly tracks: readonly Track[];
  /** Of all tracks together, in LUFS; by default as they are mixed. */
  readonly loudness?: number | undefined;
  readonly captions: readonly Cue[];
  /** What the page leaves transparent stays so; absent, it is white. */
  readonly transparent?: true | undefined;
};

/** A filled page with warnings about its data. */
export type Filled = {
  readonly page: FilledPage;
  readonly warnings: readonly Warning[];
  /** The parts of the account's brand that it shows. */
  readonly brand: BrandTaken | null;
  /** The account's partials in it, by name. */
  readonly partials: ReadonlyMap<string, PagePartial>;
};

/**
 * Everything a video is made from. In: a template, data and the files they name. Out: one document with all its
 * assets. Invariant: nothing is fetched after this, so every render of a composition is the same video.
 */
export type Composition = FilledPage & {
  /** By key, `assets/<sha256>`, which is also the path on the page's origin used by the HTML and the tracks. */
  readonly assets: ReadonlyMap<string, CompositionAsset>;
};

type RenderIdentity = {
  readonly format: VideoFormat;
  readonly quality: Quality;
  /** Frame of the poster. */
  readonly posterFrame: number;
  /** As `RenderSessions.fingerprint`. */
  readonly fingerprint: string;
};

/** Hashes what a video is made from and how, in hexadecimal: equal hashes make the same video. */
export function contentHash(composition: Composition, how: RenderIdentity): string {
  const { assets, ...page } = composition;
  // The key of an asset already contains the hash of its bytes.
  const files = [...assets].map(([key, { mediaType }]) => `${key} ${mediaType}`).sort();
  return hash('sha256', stableJson({ page, files, how }));
}
