/** Where frames go as they are: a file of slots, whose first bytes say that it is the one. */
export type RingSink = {
  readonly kind: 'ring';
  /** Its name, and with the zeros around it what it begins with. */
  readonly name: string;
  /** Where the first slot begins. */
  readonly header: number;
};

/** Where frames go to become a stream. */
export type EncoderSink = {
  readonly kind: 'encoder';
  /** The first that the browser can do is taken. */
  readonly configs: readonly VideoConfig[];
  readonly fps: number;
};

/** As much of a `VideoEncoderConfig` as we say. */
export type VideoConfig = {
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly bitrate: number;
  readonly framerate: number;
  readonly latencyMode: 'quality';
  readonly bitrateMode: 'variable';
  readonly hardwareAcceleration: 'prefer-software';
  readonly avc?: { readonly format: 'avc' };
};

/** Frames `from` to `to`, the last one not included, of a size in pixels. */
export type SpanOptions = {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly height: number;
  /** How many painted frames may be on their way. */
  readonly slots: number;
  readonly sink: RingSink | EncoderSink;
  /** The code of pixel-worker.ts. */
  readonly worker: string;
  /** The converter, in base64. */
  readonly converter: string;
};

/** What the host hears of a span, in the order of its frames. */
export type Report =
  /** The worker is ready; of an encoder, with what. */
  | { readonly kind: 'opened'; readonly codec?: string }
  /** It cannot be done this way here. */
  | { readonly kind: 'unusable'; readonly reason: string }
  /** A script of the template failed. */
  | { readonly kind: 'script_failed'; readonly frame: number; readonly reason: string }
  /** Nothing changed since the frame before. */
  | { readonly kind: 'repeat'; readonly frame: number }
  /** The frame was painted; its slot is taken until the host gives it back. */
  | { readonly kind: 'frame'; readonly frame: number; readonly slot: number }
  | {
      readonly kind: 'packet';
      /** Microseconds. */
      readonly timestamp: number;
      readonly isKey: boolean;
      /** Base64, as all bytes here. */
      readonly bytes: string;
      /** How the stream is to be read; with the first packet. */
      readonly description?: string;
    }
  | { readonly kind: 'finished' };

/** What the worker is told. */
export type WorkerCommand =
  | ({ readonly kind: 'open' } & Pick<SpanOptions, 'width' | 'height' | 'sink' | 'slots' | 'converter'>)
  | { readonly kind: 'frame'; readonly frame: number; readonly slot: number; readonly picture: VideoFrame }
  | { readonly kind: 'repeat'; readonly frame: number }
  | { readonly kind: 'finish' };
