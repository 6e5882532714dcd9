import type { Warning } from '../../language.ts';
import type { QueueCaller } from '../../platform/thread-pool.ts';
import { checkSize } from './check-size.ts';
import { createCompilePool } from './compile-pool.ts';
import type { JsonObject } from './json.ts';
import { COMPILE_LIMITS, RENDER_LIMITS, type RenderLimits } from './limits.ts';
import { faultOf } from './problem.ts';
import { createProgram, type Program } from './program.ts';
import { renderProgram } from './render.ts';
import { loadRichText } from './rich-text.ts';
import type { Source } from './source.ts';
import type { Variable } from './variable.ts';
import { variablesOf } from './variables-of.ts';

export type { Program } from './program.ts';
export type { Source } from './source.ts';
export type { Variable } from './variable.ts';
export { helperDocs } from './vocabulary/vocabulary.ts';

export type RenderOptions = {
  /** Every partial the template, its layout and those partials may use, by name. */
  readonly partials: ReadonlyMap<string, Program>;
  readonly layout?: Program | undefined;
  /** BCP 47; English when absent or unknown. */
  readonly locale?: string | undefined;
  readonly limits?: Partial<RenderLimits> | undefined;
};

export type Output = {
  readonly html: string;
  /** One line. */
  readonly subject: string | null;
  /** One line. */
  readonly preheader: string | null;
  readonly text: string | null;
  readonly warnings: readonly Warning[];
};

/** A program with everything it is rendered with. */
export type Composition = {
  readonly program: Program;
  readonly layout?: Program | undefined;
  readonly partials: ReadonlyMap<string, Program>;
};

export type Engine = {
  /**
   * Checks and compiles a source in a thread of its own. Throws template_invalid or unsafe_context with every problem in `errors`,
   * template_too_complex over a limit, unavailable when too many sources wait.
   */
  prepare(source: Source, asker?: QueueCaller): Promise<Program>;
  /** Fills a program with data, at once and in this thread. Throws render_limit over a limit, template_invalid without a partial. */
  render(program: Program, data: JsonObject, options: RenderOptions): Output;
  /** What the whole reads from its data: the program's own variables, its layout's, and its partials' as the program calls them. */
  variablesOf(composition: Composition): Variable[];
  /** Ends the threads. Jobs still running fail. */
  close(): Promise<void>;
};

export type EngineSettings = { readonly threads?: number; readonly compileMs?: number };

/** The engine knows templates as texts and data as JSON, nothing of where they are kept. */
export function createEngine({ threads = 2, compileMs = COMPILE_LIMITS.ms }: EngineSettings = {}): Engine {
  const pool = createCompilePool(threads, compileMs);

  async function prepare(source: Source, asker?: QueueCaller): Promise<Program> {
    const problems = checkSize(source);
    const [first, ...rest] = problems;
    if (first) throw faultOf([first, ...rest]);
    const compiled = await pool.compile(source, asker);
    if ('problems' in compiled) throw faultOf(compiled.problems);
    if (compiled.richText) await loadRichText();
    return createProgram(source, compiled);
  }

  return {
    prepare,
    variablesOf,
    render: (program, data, options) =>
      renderProgram(program, data, { ...options, limits: { ...RENDER_LIMITS, ...options.limits } }),
    close: pool.close,
  };
}
