import { Fault } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import type { CssUrl } from '../../platform/html/css-urls.ts';
import type { HtmlPlaces } from '../../platform/html/html-places.ts';
import { createThreadPool } from '../../platform/thread-pool.ts';
import type { Active, Stripped } from '../generation/active-content.ts';
import type { Mail } from '../lint/finding.ts';
import type { LintOptions, LintReport } from '../lint/lint.ts';
import type { ExamineJob, ExamineResult, Question, Questions } from './examine-worker.ts';

/**
 * Reads html and CSS of strangers. A browser's rules for broken html can make little text a lot of work, which would hold a server.
 * All of it throws Fault render_limit.examine_time or examine_memory for what takes too much, and unavailable when too many wait.
 */
export type Examiner = {
  /** What is wrong with a finished mail. @throws Fault as `lint` */
  lint(mail: Mail, options?: LintOptions, asker?: QueueCaller): Promise<LintReport>;
  /** Where a document loads something from elsewhere. @throws Fault as `mailPlaces` */
  findPlaces(html: string, asker?: QueueCaller): Promise<HtmlPlaces>;
  /** What a style sheet loads from elsewhere. @throws Fault as `remoteUrls` */
  findUrls(css: string, asker?: QueueCaller): Promise<readonly CssUrl[]>;
  /** What no mail may hold, as `findActive`; the first 200 of it. */
  findActive(html: string, asker?: QueueCaller): Promise<readonly Active[]>;
  /** Html without what no mail may hold, as `stripActive`. */
  stripActive(html: string, asker?: QueueCaller): Promise<Stripped>;
  /** Ends the threads. Work still running fails. */
  close(): Promise<void>;
};

export type ExaminerSettings = {
  readonly threads?: number;
  /** The longest one question may take, in milliseconds. */
  readonly ms?: number;
};

const MEMORY_MB = 512;

/** Examines in threads of its own, which start with the first question. */
export function createExaminer({ threads = 2, ms = 2_000 }: ExaminerSettings = {}): Examiner {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const pool = createThreadPool<ExamineJob, ExamineResult>({
    file: new URL(`./examine-worker.${extension}`, import.meta.url),
    name: 'examineJob',
    threads,
    timeoutMs: ms,
    memoryMb: MEMORY_MB,
    busy: () => new Fault('unavailable.examiner_busy', {}, { retryAfterSeconds: 2 }),
    tooSlow: (_job, cause) => new Fault('render_limit.examine_time', { limit: ms }, { cause }),
    tooLarge: (_job, cause) => new Fault('render_limit.examine_memory', { limit: MEMORY_MB }, { cause }),
  });

  async function ask<Name extends Question>(
    question: Name,
    input: Questions[Name][0],
    asker?: QueueCaller,
  ): Promise<Questions[Name][1]> {
    // The input of a question always belongs to its name; TypeScript does not follow the two through a union.
    const result = await pool.run({ question, input } as ExamineJob, asker);
    if ('fault' in result) throw new Fault(result.fault.key, result.fault.params);
    return result.answer;
  }

  return {
    lint({ html, text, subject, preheader }, options = {}, asker) {
      return ask('lint', { mail: { html, text, subject, preheader }, options }, asker);
    },
    findPlaces: (html, asker) => ask('places', html, asker),
    findUrls: (css, asker) => ask('urls', css, asker),
    findActive: (html, asker) => ask('active', html, asker),
    stripActive: (html, asker) => ask('strip', html, asker),
    close: pool.close,
  };
}
