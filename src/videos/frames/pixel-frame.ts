/** One frame of a span: I420 planes, or a JPEG picture. */
export type PixelFrame = {
  readonly frame: number;
  /** Valid until the next one that is no repeat is asked for. */
  readonly bytes: Uint8Array;
  /** Nothing has changed since the frame before: the bytes are the same. */
  readonly repeat: boolean;
};
