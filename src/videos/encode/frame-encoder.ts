import type { Timing } from '../composition/composition.ts';
import type { Quality } from '../frames/stage.ts';

/** How the pixels of a frame come: planes of Y, U and V (BT.709, limited range), or a JPEG picture. */
export type PixelFormat = 'i420' | 'jpeg';

export type EncoderOptions = Pick<Timing, 'width' | 'height' | 'fps'> & {
  /** As many as will be given. */
  readonly frames: number;
  readonly pixels: PixelFormat;
  readonly format: 'mp4' | 'webm';
  readonly quality: Quality;
  /** Ends the encoder: whoever gives up before `end` aborts it. */
  readonly signal: AbortSignal;
};

/** A stream being made. */
export type EncoderStream = {
  /** Resolves when more may come. The bytes stay as they are until the next are written. @throws Error when the encoder ended */
  write(frame: Uint8Array): Promise<void>;
  /** The frame that was written last, again. */
  hold(): void;
  /** The whole file: fragmented MP4 (H.264 yuv420p, tagged BT.709 limited) or WebM. */
  end(): Promise<Uint8Array>;
};

/** The port: turns frames into a stream, outside the browser. */
export type FrameEncoder = {
  /** Such as `ffmpeg 5.1.9 libx264`. */
  readonly name: string;
  open(options: EncoderOptions): EncoderStream;
};
