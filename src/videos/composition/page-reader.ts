import { Fault, type FaultDetail, type FaultKey, type FaultParams } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { createThreadPool } from '../../platform/thread-pool.ts';
import type { ForbiddenItem, Inspection } from './inspect-page.ts';
import type { Readings, ReadJob, ReadResult } from './read-page-worker.ts';

/**
 * Reads untrusted HTML and CSS, where little text can mean a lot of work, in separate threads. Every method throws
 * Fault render_limit.video_page_time, .video_page_memory and .video_loads, and unavailable.video_page_busy.
 */
export type PageReader = {
  /** As `inspectPage`. */
  inspect(html: string, asker?: QueueCaller): Promise<Readings['inspect']>;
  /** As `pagePlaces`. */
  places(html: string, asker?: QueueCaller): Promise<Readings['places']>;
  /** Finds the addresses of files in a style sheet. */
  urls(css: string, asker?: QueueCaller): Promise<Readings['urls']>;
  /** Ends the threads. Running work fails. */
  close(): Promise<void>;
};

const MEMORY_MB = 512;

/** The threads start with the first job. `ms` is the time limit of one job. */
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

  async function run<Question extends keyof Readings>(
    question: Question,
    text: string,
    asker?: QueueCaller,
  ): Promise<Readings[Question]> {
    const result = await pool.run({ question, text }, asker);
    if ('fault' in result) throw faultOf(result.fault);
    // The result belongs to the question; TypeScript cannot infer it through the union.
    return result.answer as Readings[Question];
  }

  return {
    inspect: (html, asker) => run('inspect', html, asker),
    places: (html, asker) => run('places', html, asker),
    urls: (css, asker) => run('urls', css, asker),
    close: pool.close,
  };
}

/** The shared readers name the email's fault. */
function faultOf({ key, params }: { readonly key: FaultKey; readonly params: FaultParams }): Fault {
  return new Fault(key === 'render_limit.loads' ? 'render_limit.video_loads' : key, params);
}

type CheckOptions = {
  /** The request field that holds the page. */
  readonly loc: FaultDetail['loc'];
  /** The page may run its own scripts. */
  readonly scripts: boolean;
};

const KEYS: Readonly<Record<ForbiddenItem['what'], FaultKey>> = {
  element: 'template_invalid.video_element',
  script: 'template_invalid.video_script',
  script_source: 'template_invalid.video_script_source',
  import: 'template_invalid.video_import',
};

/** Throws the Fault of the first forbidden item, with all of them as details. */
export function requireAllowed(
  { forbidden }: Pick<Inspection, 'forbidden'>,
  { loc, scripts }: CheckOptions,
): void {
  const errors = forbidden
    .filter(({ what }) => what !== 'script' || !scripts)
    .map(({ what, line, col, ...more }) => ({
      loc,
      key: KEYS[what],
      params: { ...more, line, col },
      line,
      col,
    }));
  const [first] = errors;
  if (first) throw new Fault(first.key, first.params, { errors });
}

/** @throws Fault template_invalid.stage_missing */
export function requireStage({ stages: count }: Pick<Inspection, 'stages'>, loc: FaultDetail['loc']): void {
  if (count === 1) return;
  const key = 'template_invalid.stage_missing';
  throw new Fault(key, { count }, { errors: [{ loc, key, params: { count } }] });
}
