export type Painter = {
  /** Paints the page as it is now. The caller closes the picture. */
  paint(timestamp: number): Promise<VideoFrame>;
};

/** Paints what is inside of a canvas onto it, without a graphics processor, whose pixels would have to be fetched. */
export function createPainter(canvas: HTMLCanvasElement, child: Element): Painter {
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  const { requestPaint } = canvas;
  if (!context?.drawElementImage || !requestPaint) throw new Error('this browser does not paint elements');
  return { paint };

  async function paint(timestamp: number): Promise<VideoFrame> {
    const { promise, resolve, reject } = Promise.withResolvers<VideoFrame>();
    const onPaint = () => {
      try {
        // What is drawn here is the page of this moment; at any other time it would be that of the last event.
        context?.drawElementImage?.(child, 0, 0);
        resolve(new VideoFrame(canvas, { timestamp, alpha: 'discard' }));
      } catch (error) {
        reject(error);
      }
    };
    canvas.addEventListener('paint', onPaint, { once: true });
    canvas.requestPaint?.();
    return promise;
  }
}
