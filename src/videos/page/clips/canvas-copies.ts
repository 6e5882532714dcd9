import { pageClock } from '../page-clock.ts';

/** V8's own collection, where the browser was started with it. */
type WithCollection = { readonly gc?: () => void };

/** Bytes of copies that wait for a collection at most, where one takes long. */
const MAX_WAITING = 128 * 1024 ** 2;

export type CanvasCopies = {
  /** A canvas of that many bytes was drawn. */
  drawn(bytes: number): void;
  /** Call it before canvases are drawn. */
  release(): void;
};

/**
 * The browser keeps a copy of a canvas for each time it was drawn, until garbage is collected. V8 does not know of these copies
 * and collects late: a clip of ten seconds took gigabytes. As long as a copy exists, drawing the canvas also takes new memory.
 * Where that takes longer than two collections, garbage is collected before each frame. Two, because a collection also takes the
 * other cores from decoding and encoding.
 */
export function createCanvasCopies(): CanvasCopies {
  const { gc } = globalThis as WithCollection;
  const now = pageClock()?.real.now ?? performance.now.bind(performance);
  let waiting = 0;
  let isQuick: boolean | undefined;
  return { drawn, release };

  function drawn(bytes: number): void {
    waiting += bytes;
  }

  function release(): void {
    if (!gc || waiting === 0) return;
    isQuick ??= isQuicker(gc, waiting);
    if (!isQuick && waiting < MAX_WAITING) return;
    waiting = 0;
    gc();
  }

  /** Whether two collections take less time than so many bytes of new memory. The first one has more to do than those after it. */
  function isQuicker(collect: () => void, bytes: number): boolean {
    collect();
    return 2 * timeOf(collect) < timeOf(() => new Uint8Array(bytes).fill(1));
  }

  function timeOf(work: () => void): number {
    const began = now();
    work();
    return now() - began;
  }
}
