/** V8's own collection, where the browser was started with it. */
type WithCollection = { readonly gc?: () => void };

/** Copies that may wait for a collection. */
const MOST_BYTES = 128 * 1024 * 1024;

/**
 * The browser keeps a copy of a canvas for each time it was drawn, until garbage is collected. That is late, since V8 does not
 * know of the copies: a clip of ten seconds took gigabytes.
 * @returns call it with the bytes of a canvas that was drawn
 */
export function createCanvasCopies(): (bytes: number) => void {
  const { gc } = globalThis as WithCollection;
  let waiting = 0;
  return (bytes) => {
    waiting += bytes;
    if (waiting < MOST_BYTES) return;
    waiting = 0;
    gc?.();
  };
}
