import { Fault, type FaultKey, type FaultParams } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { createThreadPool } from '../../platform/thread-pool.ts';
import type { Readings, ReadJob, ReadResult } from './read-page-worker.ts';

/**
 * Reads the html and CSS of strangers, which can make little text a lot of work, in threads of its own.
 * All of it throws Fault render_limit.video_page_time, .video_page_memory and .video_loads, and unavailable.video_page_busy.
 */
export type PageReader = {
  /** As `inspectPage`. */
  inspect(html: string, asker?: QueueCaller): Promise<Readings['inspect']>;
  /** As `pagePlaces`. */
  places(html: string, asker?: QueueCaller): Promise<Readings['places']>;
  /** The addresses of files in a style sheet. */
  urls(css: string, asker?: QueueCaller): Promise<Readings['urls']>;
  /** Ends the threads. Work still running fails. */
  close(): Promise<void>;
};

const MEMORY_MB = 512;

/** The threads start with the first question. `ms` is the longest one may take. */
export function createPageReader({ threads = 1, ms = 2_000 } = {}): PageReader {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const pool = createThreadPool<ReadJob, ReadResult>({
    file: new URL(`./read-page-worker.${extension}`, import.meta.url),
    name: 'readPageJob',
    threads,
    timeoutMs: ms,
    memoryMb: MEMORY_MB,
    busy: () => new Fault('unavailable.video_page_busy', {}, { retryAfterSeconds: 2 }),
    tooSlow: (_job, cause) => new Fault('render_limit.video_page_time', { limit: ms }, { cause }),
    tooLarge: (_job, cause) => new Fault('render_limit.video_page_memory', { limit: MEMORY_MB }, { cause }),
  });

  async function ask<Question extends keyof Readings>(
    question: Question,
    text: string,
    asker?: QueueCaller,
  ): Promise<Readings[Question]> {
    const result = await pool.run({ question, text }, asker);
    if ('fault' in result) throw faultOf(result.fault);
    // The thread answers what it was asked; TypeScript does not follow the two through a union.
    return result.answer as Readings[Question];
  }

  return {
    inspect: (html, asker) => ask('inspect', html, asker),
    places: (html, asker) => ask('places', html, asker),
    urls: (css, asker) => ask('urls', css, asker),
    close: pool.close,
  };
}

/** What reads mails says that a mail is at fault. */
function faultOf({ key, params }: { readonly key: FaultKey; readonly params: FaultParams }): Fault {
  return new Fault(key === 'render_limit.loads' ? 'render_limit.video_loads' : key, params);
}
