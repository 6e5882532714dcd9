import type { EncoderOptions, FrameEncoder } from '../encode/frame-encoder.ts';
import type { PixelFrame } from './pixel-frame.ts';
import type { ChunkRequest } from './stage.ts';

type Encoding = {
  readonly frames: AsyncIterable<PixelFrame>;
  readonly encoder: FrameEncoder;
  readonly options: Omit<EncoderOptions, 'signal' | 'frames'>;
  readonly request: ChunkRequest;
  /** Done while the encoder comes to its end; the encoder is stopped when it fails. */
  readonly meanwhile?: () => Promise<void>;
  /** Sees each frame before it is given away. */
  readonly see?: (frame: PixelFrame) => void;
};

/** Gives frames to an encoder outside of the browser. @returns the stream, and how many frames were painted for it */
export async function encodeFrames({ frames, encoder, options, request, meanwhile, see }: Encoding) {
  const over = new AbortController();
  const signal = AbortSignal.any([request.signal, over.signal]);
  const { span } = request;
  const stream = encoder.open({ ...options, frames: span.to - span.from, signal });
  let painted = 0;
  let done = 0;
  try {
    for await (const frame of frames) {
      see?.(frame);
      if (frame.repeat) {
        stream.hold();
      } else {
        await stream.write(frame.bytes);
        painted++;
      }
      request.onFrame(++done);
    }
    const [bytes] = await Promise.all([stream.end(), meanwhile?.()]);
    return { bytes, painted };
  } finally {
    over.abort();
  }
}
