import type { Timing } from '../composition/composition.ts';
import type { ChunkRequest, PixelFrame, Quality } from '../frames/frames.ts';

/**
 * Pixel layout of a frame: Y, U and V planes (BT.709, limited range), a JPEG image, or a PNG image, whose alpha the video
 * keeps: in WebM only.
 */
export type PixelFormat = 'i420' | 'jpeg' | 'png';

export type EncoderOptions = Pick<Timing, 'width' | 'height' | 'fps'> & {
  /** Number of frames that will be written. */
  readonly frames: number;
  readonly pixels: PixelFormat;
  readonly format: 'mp4' | 'webm';
  readonly quality: Quality;
  /** Stops the encoder; a caller that gives up before `end` aborts it. */
  readonly signal: AbortSignal;
};

/** A stream that is being encoded. */
export type EncoderStream = {
  /**
   * Resolves when the next frame may be written. The bytes must not change until then.
   * @throws Error when the encoder ended
   */
  write(frame: Uint8Array): Promise<void>;
  /** Repeats the frame written last. Resolves, and throws, as `write`. */
  repeat(): Promise<void>;
  /** Returns the whole file: MP4 (H.264 yuv420p, tagged BT.709 limited) or WebM (VP9 yuv420p; of PNG yuva420p). */
  end(): Promise<Uint8Array>;
};

/** The port: encodes frames outside the browser. */
export type FrameEncoder = {
  /** Such as `ffmpeg 5.1.9 libx264`. */
  readonly name: string;
  open(options: EncoderOptions): EncoderStream;
};

type EncodeFramesOptions = {
  readonly frames: AsyncIterable<PixelFrame>;
  readonly encoder: FrameEncoder;
  readonly options: Omit<EncoderOptions, 'signal' | 'frames'>;
  readonly request: ChunkRequest;
  /** Runs while the encoder finishes; the encoder is stopped when it fails. */
  readonly verify?: () => Promise<void>;
  /** Called with each frame before it is written. */
  readonly observe?: (frame: PixelFrame) => void;
};

/**
 * Writes frames to an encoder outside the browser.
 * @returns the stream and the number of frames that were painted for it
 */
export async function encodeFrames({
  frames,
  encoder,
  options,
  request,
  verify,
  observe,
}: EncodeFramesOptions) {
  const over = new AbortController();
  const signal = AbortSignal.any([request.signal, over.signal]);
  const { span } = request;
  const stream = encoder.open({ ...options, frames: span.to - span.from, signal });
  let painted = 0;
  let done = 0;
  try {
    for await (const frame of frames) {
      observe?.(frame);
      if (frame.repeat) {
        await stream.repeat();
      } else {
        await stream.write(frame.bytes);
        painted++;
      }
      request.onFrame(++done);
    }
    const [bytes] = await Promise.all([stream.end(), verify?.()]);
    return { bytes, painted };
  } finally {
    over.abort();
  }
}
