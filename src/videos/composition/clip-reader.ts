import { Fault } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { createThreadPool } from '../../platform/thread-pool.ts';
import type { ClipFacts, ClipJob, ClipResult } from './read-clip-worker.ts';

/** Reads the containers of clips, which anyone may have made, in a thread that is ended when one takes too long. */
export type ClipReader = {
  /**
   * @returns undefined for a file that has no video track or can't be read
   * @throws Fault unavailable.video_page_busy, video_failed.clip_reading
   */
  read(bytes: Uint8Array, asker: QueueCaller): Promise<ClipFacts | undefined>;
  close(): Promise<void>;
};

const MEMORY_MB = 512;

/** The thread starts with the first clip. `ms` is the time limit of one. */
export function createClipReader({ ms = 5_000 } = {}): ClipReader {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const tooMuch = (_job: ClipJob, cause: unknown) => new Fault('video_failed.clip_reading', {}, { cause });
  const pool = createThreadPool<ClipJob, ClipResult>({
    file: new URL(`./read-clip-worker.${extension}`, import.meta.url),
    name: 'readClipJob',
    threads: 1,
    timeoutMs: ms,
    memoryMb: MEMORY_MB,
    busy: () => new Fault('unavailable.video_page_busy', {}, { retryAfterSeconds: 2 }),
    tooSlow: tooMuch,
    tooLarge: tooMuch,
  });
  return { read: (bytes, asker) => pool.run({ bytes }, asker), close: pool.close };
}
