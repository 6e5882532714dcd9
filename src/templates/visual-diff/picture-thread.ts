import { Fault } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { createThreadPool } from '../../platform/thread-pool.ts';
import type { PictureDiff, PicturePair } from './compare-pictures.ts';

export type PictureThread = {
  /** @throws Fault unavailable.pictures_busy, too_large.pictures */
  compare(pair: PicturePair, asker?: QueueCaller): Promise<PictureDiff>;
  close(): Promise<void>;
};

const LONGEST_MS = 10_000;
/** Of the thread: three panels of the tallest pictures there can be, and their PNGs. */
const MEMORY_MB = 1024;

/** Compares pictures in one thread, which starts with the first pair. */
export function createPictureThread(): PictureThread {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const { run, close } = createThreadPool<PicturePair, PictureDiff>({
    file: new URL(`./compare-pictures.${extension}`, import.meta.url),
    name: 'comparePictures',
    threads: 1,
    timeoutMs: LONGEST_MS,
    memoryMb: MEMORY_MB,
    busy: () => new Fault('unavailable.pictures_busy', {}, { retryAfterSeconds: 5 }),
    tooSlow: tooLarge,
    tooLarge,
  });
  return { compare: run, close };
}

function tooLarge(_pair: PicturePair, cause: unknown): Fault {
  return new Fault('too_large.pictures', {}, { cause });
}
