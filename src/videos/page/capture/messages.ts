/** Raw frames go into a file of slots, recognized by its first bytes. */
export type RingSink = {
  readonly kind: 'ring';
  /** File name, also written at its start. */
  readonly name: string;
  /** Offset of the first slot. */
  readonly header: number;
};

/** Frames are encoded in the browser. */
export type EncoderSink = {
  readonly kind: 'encoder';
  /** Candidates; the first supported one is used. */
  readonly configs: readonly VideoConfig[];
  readonly fps: number;
};

/** The part of `VideoEncoderConfig` that is used. */
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

/** Frames `from` to `to`, `to` excluded; sizes in pixels. */
export type SpanOptions = {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly height: number;
  /** Whether the page can go back to earlier frames. The stage of one that cannot stays in the canvas after the span. */
  readonly canGoBack: boolean;
  /** Whether a frame must be painted in one part. */
  readonly whole: boolean;
  /** Maximum number of painted frames in flight. */
  readonly slots: number;
  readonly sink: RingSink | EncoderSink;
  /** The code of pixel-worker.ts. */
  readonly worker: string;
  /** The WebAssembly converter, in base64. */
  readonly converter: string;
};

/** Messages to the host about a span, in frame order. */
export type Report =
  /** The worker is ready; for an encoder, with its codec. */
  | { readonly kind: 'opened'; readonly codec?: string }
  /** This capture mode does not work here. */
  | { readonly kind: 'unusable'; readonly reason: string }
  /** A script of the template failed. */
  | { readonly kind: 'script_failed'; readonly frame: number; readonly reason: string }
  /** Nothing changed since the frame before. */
  | { readonly kind: 'repeat'; readonly frame: number }
  /** The frame was painted; its slot is in use until the host frees it. */
  | { readonly kind: 'frame'; readonly frame: number; readonly slot: number }
  | {
      readonly kind: 'packet';
      /** Microseconds. */
      readonly timestamp: number;
      readonly isKey: boolean;
      /** Base64, as all bytes here. */
      readonly bytes: string;
      /** Decoder configuration; with the first packet. */
      readonly description?: string;
    }
  | { readonly kind: 'finished' };

/** Messages of the worker to the page. */
export type WorkerReport =
  | Report
  /** It has the pixels of the last picture, whose memory the next one may use. */
  | { readonly kind: 'copied' };

/** Commands to the worker. */
export type WorkerCommand =
  | ({ readonly kind: 'open' } & Pick<SpanOptions, 'width' | 'height' | 'sink' | 'slots' | 'converter'>)
  | { readonly kind: 'frame'; readonly frame: number; readonly slot: number; readonly picture: VideoFrame }
  | { readonly kind: 'repeat'; readonly frame: number }
  | { readonly kind: 'finish' };
