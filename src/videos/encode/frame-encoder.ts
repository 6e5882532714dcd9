import type { Timing } from '../composition/composition.ts';
import type { ChunkRequest, PixelFrame, Quality } from '../frames/frames.ts';

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
  repeat(): void;
  /** The whole file: fragmented MP4 (H.264 yuv420p, tagged BT.709 limited) or WebM. */
  end(): Promise<Uint8Array>;
};

/** The port: turns frames into a stream, outside the browser. */
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
  /** Done while the encoder comes to its end; the encoder is stopped when it fails. */
  readonly verify?: () => Promise<void>;
  /** Sees each frame before it is given away. */
  readonly observe?: (frame: PixelFrame) => void;
};

/** Gives frames to an encoder outside of the browser. @returns the stream, and how many frames were painted for it */
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
        stream.repeat();
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
