import { type Compiled, compile } from './compile.ts';
import { type Problem, problemAt } from './problem.ts';
import type { Source } from './source.ts';

export type CompileJob = {
  readonly source: Source;
  /** One shared number: the worker writes the time it began, in milliseconds since 1970. */
  readonly begun: Float64Array;
};

export type CompileResult = Compiled | { readonly problems: readonly [Problem, ...Problem[]] };

/** The thread's entry. */
export function compileJob({ source, begun }: CompileJob): CompileResult {
  begun[0] = Date.now();
  try {
    return compile(source);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problems: [problemAt('template_too_complex.nesting', 'html', {})] };
  }
}
