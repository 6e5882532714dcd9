import { Fault, type FaultKey, type FaultParams } from '../../errors.ts';
import type { CssUrl } from '../../platform/html/css-urls.ts';
import type { HtmlPlaces } from '../../platform/html/html-places.ts';
import type { Timed } from '../../platform/thread-pool.ts';
import { begin } from '../../platform/thread-time.ts';
import type { Active, Stripped } from '../generation/active-content.ts';
import type { LintOptions, LintReport } from '../lint/lint.ts';
import type { Mail } from '../lint/rules.ts';

/** What can be asked of a thread: the input and the answer of each question. */
export type Questions = {
  readonly lint: readonly [input: { mail: Mail; options: LintOptions }, answer: LintReport];
  readonly places: readonly [html: string, answer: HtmlPlaces];
  readonly urls: readonly [css: string, answer: CssUrl[]];
  readonly active: readonly [html: string, answer: Active[]];
  readonly strip: readonly [html: string, answer: Stripped];
};

export type Question = keyof Questions;

export type ExamineJob = {
  [Name in Question]: { readonly question: Name; readonly input: Questions[Name][0] };
}[Question];

/** A Fault does not come through between threads as one, so its parts do. */
export type ExamineResult =
  | { readonly answer: Questions[Question][1] }
  | { readonly fault: { readonly key: FaultKey; readonly params: FaultParams } };

/** More of it no one reads, and carrying it over would hold the caller's thread. */
const MOST_ACTIVE = 200;

/** The thread's entry. */
export async function examineJob({ begun, ...job }: Timed<ExamineJob>): Promise<ExamineResult> {
  const run = await load(job);
  // Loading a parser is no part of the job's time.
  begin(begun);
  try {
    return { answer: run() };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: { key: error.key, params: error.params } };
  }
}

type Run = () => Questions[Question][1];

async function load({ question, input }: ExamineJob): Promise<Run> {
  switch (question) {
    case 'lint': {
      const { lint } = await import('../lint/lint.ts');
      return () => lint(input.mail, input.options);
    }
    case 'places': {
      const { mailPlaces } = await import('../assets/remote-urls.ts');
      return () => mailPlaces(input);
    }
    case 'urls': {
      const { remoteUrls } = await import('../assets/remote-urls.ts');
      return () => remoteUrls(input);
    }
    case 'active': {
      const { findActive } = await import('../generation/active-content.ts');
      return () => findActive(input).slice(0, MOST_ACTIVE);
    }
    case 'strip': {
      const { stripActive } = await import('../generation/active-content.ts');
      return () => stripActive(input);
    }
  }
}
