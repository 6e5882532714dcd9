type Spoken = { readonly start: number; readonly end: number; readonly text: string };

/** One caption; `start` and `end` are seconds of the video, `end` excluded. `words` say when each is spoken. */
export type Caption = Spoken & { readonly words?: readonly Spoken[] | undefined };

export type StageOptions = {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly frames: number;
  /** Seed of the random numbers of a page with scripts. */
  readonly seed: number;
  readonly captions: readonly Caption[];
  /** The page has no background of its own. */
  readonly transparent?: boolean | undefined;
  /** The browser plays the clips itself, roughly in time: in a preview, where frames need not be exact. */
  readonly plays?: boolean;
};

/** A sound of a preview; times are seconds of the video, the volume is a factor. */
export type PreviewTrack = {
  /** An address the page may load. */
  readonly source: string;
  readonly start: number;
  readonly volume: number;
  readonly loop: boolean;
  /** Seconds of the sound before what is played of it. */
  readonly from: number;
  readonly speed: number;
};

/** The options of a player, as JSON in `<meta name="video-preview">`. */
export type PreviewOptions = StageOptions & {
  readonly tracks: readonly PreviewTrack[];
  /** Warnings about the data, in the reader's language. */
  readonly warnings: readonly string[];
  /** Where each script of the template starts in the page, of a template with scripts; lines count from 1. */
  readonly scriptLines?: readonly number[];
};
