import { Fault } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { createThreadPool } from '../../platform/thread-pool.ts';
import type { AreaColor } from './color-roles.ts';
import type { PageFacts } from './read-page.ts';
import type { SiteJob, SiteResult } from './site-worker.ts';

/**
 * Reads pages and pictures of foreign sites, where few bytes can mean a lot of work, in a separate thread. Both methods throw
 * Fault render_limit.brand_page_time, .brand_page_memory and unavailable.brand_page_busy.
 */
export type SiteReader = {
  /** As `readPage`. */
  page(html: string, address: string, asker?: QueueCaller): Promise<PageFacts>;
  /** As `areaColors`. */
  colors(png: Uint8Array, asker?: QueueCaller): Promise<readonly AreaColor[]>;
  /** Ends the thread. Running work fails. */
  close(): Promise<void>;
};

const MEMORY_MB = 512;

/** The thread starts with the first job. `ms` is the time limit of one job. */
export function createSiteReader({ ms = 8_000 } = {}): SiteReader {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const pool = createThreadPool<SiteJob, SiteResult>({
    file: new URL(`./site-worker.${extension}`, import.meta.url),
    name: 'readSiteJob',
    threads: 1,
    timeoutMs: ms,
    memoryMb: MEMORY_MB,
    busy: () => new Fault('unavailable.brand_page_busy', {}, { retryAfterSeconds: 2 }),
    tooSlow: (_job, cause) => new Fault('render_limit.brand_page_time', { limit: ms }, { cause }),
    tooLarge: (_job, cause) => new Fault('render_limit.brand_page_memory', { limit: MEMORY_MB }, { cause }),
  });
  // The result belongs to the job; TypeScript cannot infer it through the union.
  return {
    page: async (html, address, asker) => (await pool.run({ html, address }, asker)) as PageFacts,
    colors: async (png, asker) => (await pool.run({ png }, asker)) as readonly AreaColor[],
    close: pool.close,
  };
}
