import type { Timed } from '../../platform/thread-pool.ts';
import { begin } from '../../platform/thread-time.ts';
import { type Compiled, compile } from './compile.ts';
import { type Problem, problemAt } from './problem.ts';
import type { Source } from './source.ts';

export type CompileResult = Compiled | { readonly problems: readonly [Problem, ...Problem[]] };

/** The thread's entry. */
export function compileJob({ source, begun }: Timed<{ readonly source: Source }>): CompileResult {
  begin(begun);
  try {
    return compile(source);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problems: [problemAt('template_too_complex.nesting', 'html', {})] };
  }
}
