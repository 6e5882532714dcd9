import { Fault } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { createThreadPool } from '../../platform/thread-pool.ts';
import { FINISHED_BYTES, type FinishJob, type FinishResult, type Step } from './finish-worker.ts';
import type { MjmlResult } from './mjml/compile-mjml.ts';

export type FinishOptions = {
  /** Copy the rules of style elements into style attributes. */
  readonly inlineCss?: boolean | undefined;
  /** Take out comments and spaces that email clients do not read. */
  readonly minify?: boolean | undefined;
};

export type Finisher = {
  /** @throws Fault render_limit when a step takes too long, too much memory or grows the email over 5 MB; unavailable when too many wait */
  finish(html: string, options: FinishOptions, asker?: QueueCaller): Promise<string>;
  /** The words of an email, for programs that show no HTML. @throws Fault as `finish` */
  plainText(html: string, asker?: QueueCaller): Promise<string>;
  /** HTML with the expressions of the MJML, or what is wrong with it. @throws Fault template_too_complex, unavailable */
  compileMjml(source: string, asker?: QueueCaller): Promise<MjmlResult>;
  /** Ends the threads. Jobs still running fail. */
  close(): Promise<void>;
};

export type FinisherSettings = {
  readonly threads?: number;
  /** The longest one step may take, in milliseconds. */
  readonly ms?: number;
};

const MEMORY_MB = 512;

/**
 * Finishes rendered emails: style attributes, minified HTML, plain text, and MJML to HTML. In: HTML or MJML. Out: the same
 * email in that form. Always: in threads of its own, which start with the first one, within limits of time, memory and size.
 */
export function createFinisher({ threads = 2, ms = 2_000 }: FinisherSettings = {}): Finisher {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const pool = createThreadPool<FinishJob, FinishResult | MjmlResult>({
    file: new URL(`./finish-worker.${extension}`, import.meta.url),
    name: 'finishJob',
    threads,
    timeoutMs: ms,
    memoryMb: MEMORY_MB,
    busy: () => new Fault('unavailable.finisher_busy', {}, { retryAfterSeconds: 2 }),
    tooSlow: ({ step }, cause) =>
      step === 'mjml'
        ? new Fault('template_too_complex.time', { limit: ms }, { cause })
        : new Fault('render_limit.finish_time', { option: step, limit: ms }, { cause }),
    tooLarge: ({ step }, cause) =>
      step === 'mjml'
        ? new Fault('template_too_complex.memory', { limit: MEMORY_MB }, { cause })
        : new Fault('render_limit.finish_memory', { option: step, limit: MEMORY_MB }, { cause }),
  });

  async function finish(
    html: string,
    { inlineCss, minify }: FinishOptions,
    asker?: QueueCaller,
  ): Promise<string> {
    const inlined = inlineCss ? await change('inline_css', html, asker) : html;
    return minify ? await change('minify', inlined, asker) : inlined;
  }

  async function change(step: Exclude<Step, 'mjml'>, html: string, asker?: QueueCaller): Promise<string> {
    const result = await pool.run({ step, text: html }, asker);
    if ('text' in result) return result.text;
    if ('failed' in result && result.failed === 'bytes')
      throw new Fault('render_limit.bytes', { limit: FINISHED_BYTES });
    throw new Fault('render_limit.finish_depth', { option: step });
  }

  async function compileMjml(source: string, asker?: QueueCaller): Promise<MjmlResult> {
    const result = await pool.run({ step: 'mjml', text: source }, asker);
    if ('html' in result || 'problems' in result) return result;
    throw new Fault('template_too_complex.nesting');
  }

  return {
    finish,
    plainText: (html, asker) => change('plain_text', html, asker),
    compileMjml,
    close: pool.close,
  };
}
