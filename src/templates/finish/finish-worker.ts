import type { Timed } from '../../platform/thread-pool.ts';
import { begin } from '../../platform/thread-time.ts';
import type { MjmlResult } from './mjml/compile-mjml.ts';

/** What is done to a text, named as the option that asks for it. */
export type Step = 'inline_css' | 'minify' | 'plain_text' | 'mjml';

export type FinishJob = { readonly step: Step; readonly text: string };

/** `nesting` when elements stand too deep in one another, `bytes` when the text grew over the limit. */
export type FinishResult = { readonly text: string } | { readonly failed: 'nesting' | 'bytes' };

/** The most a finished text may take, in UTF-8 bytes. */
export const FINISHED_BYTES = 5_000_000;

/** The thread's entry. */
export async function finishJob({ step, text, begun }: Timed<FinishJob>): Promise<FinishResult | MjmlResult> {
  const run = await load(step);
  // Loading a library is no part of the job's time.
  begin(begun);
  try {
    const result = await run(text);
    if (typeof result !== 'string') return result;
    return Buffer.byteLength(result) > FINISHED_BYTES ? { failed: 'bytes' } : { text: result };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { failed: error.message.includes('string length') ? 'bytes' : 'nesting' };
  }
}

type Run = (text: string) => string | Promise<string | MjmlResult>;

async function load(step: Step): Promise<Run> {
  switch (step) {
    case 'inline_css':
      return (await import('./inline-css.ts')).inlineCss;
    case 'minify':
      return (await import('./minify.ts')).minify;
    case 'plain_text':
      return (await import('./plain-text.ts')).plainText;
    case 'mjml':
      return (await import('./mjml/compile-mjml.ts')).compileMjml;
  }
}
