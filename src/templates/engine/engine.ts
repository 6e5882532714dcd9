import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import { createThreadPool, type QueueCaller } from '../../platform/thread-pool.ts';
import type { CompileResult } from './compile-worker.ts';
import { brandOf, variablesOf } from './language/variables.ts';
import { COMPILE_LIMITS, RENDER_LIMITS, type RenderLimits } from './limits.ts';
import { faultOf, type Problem } from './problem.ts';
import { createProgram, type Program } from './render/program.ts';
import { renderProgram } from './render/render.ts';
import { loadRichText } from './render/rich-text.ts';
import { FIELDS, type Source } from './source.ts';
import type { Json, JsonObject, Variable } from './variable.ts';

export type { Program } from './render/program.ts';
export type { Source } from './source.ts';
export type { Variable } from './variable.ts';
export { helperDocs } from './vocabulary/vocabulary.ts';

export type RenderOptions = {
  /** Every partial the template, its layout and those partials may use, by name. */
  readonly partials: ReadonlyMap<string, Program>;
  readonly layout?: Program | undefined;
  /** BCP 47; English when absent or unknown. */
  readonly locale?: string | undefined;
  /** What templates print as `@brand`. */
  readonly brand?: Json | undefined;
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
  /** Fills a program with data, immediately and in this thread. Throws render_limit over a limit, template_invalid without a partial. */
  render(program: Program, data: JsonObject, options: RenderOptions): Output;
  /** What the whole reads from its data: the program's own variables, its layout's, and its partials' as the program calls them. */
  variablesOf(composition: Composition): Variable[];
  /** What the whole reads of the account's brand, by names such as `@brand.name`; these are none of its variables. */
  brandOf(composition: Composition): Variable[];
  /** Ends the threads. Jobs still running fail. */
  close(): Promise<void>;
};

type EngineSettings = {
  readonly threads?: number;
  /** Multiplies the time limits of compiling and rendering. */
  readonly timeLimitFactor?: number;
};

/**
 * The engine knows templates as texts and data as JSON, nothing of where they are kept.
 *
 * In: sources, and data. Out: programs, and what they print. Invariant: a value is escaped for the place it prints to,
 * or its template is refused; no template runs without limits.
 */
export function createEngine({ threads = 2, timeLimitFactor = 1 }: EngineSettings = {}): Engine {
  const pool = createCompilePool(threads, COMPILE_LIMITS.ms * timeLimitFactor);
  const renderLimits = { ...RENDER_LIMITS, ms: RENDER_LIMITS.ms * timeLimitFactor };

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
    brandOf,
    render: (program, data, options) =>
      renderProgram(program, data, { ...options, limits: { ...renderLimits, ...options.limits } }),
    close: pool.close,
  };
}

/** What can be refused without parsing, in time that grows with the length alone. */
function checkSize(source: Source): Problem[] {
  return [...FIELDS, 'css' as const].flatMap((field): Problem[] => {
    const text: unknown = source[field];
    if (text === undefined && field !== 'html') return [];
    const loc = ['body', field];
    // A tree of nodes is code to Handlebars, so nothing but text may pass, whatever the types promise.
    if (typeof text !== 'string') return [{ key: 'template_invalid.not_text', params: { field }, loc }];
    if (field === 'css') return checkCss(text);
    return checkText(
      text,
      field,
      field === 'html' && source.generated ? COMPILE_LIMITS.generated : COMPILE_LIMITS,
    );
  });
}

type SizeLimits = { readonly sourceBytes: number; readonly mustaches: number };

function checkText(text: string, field: string, { sourceBytes, mustaches }: SizeLimits): Problem[] {
  const loc = ['body', field];
  const bytes = Buffer.byteLength(text);
  if (bytes > sourceBytes)
    return [{ key: 'template_too_complex.size', params: { field, bytes, limit: sourceBytes }, loc }];
  const count = countMustaches(text);
  if (count <= mustaches) return [];
  return [{ key: 'template_too_complex.mustaches', params: { field, count, limit: mustaches }, loc }];
}

/** The stylesheet is not a template: it is written into a style element as it is. */
function checkCss(css: string): Problem[] {
  const tooLarge = checkText(css.replaceAll('{{', ''), 'css', COMPILE_LIMITS);
  const mustache = css.indexOf('{{');
  const end = css.search(/<\/style/i);
  if (mustache >= 0) tooLarge.push({ key: 'unsafe_context.css', ...placeIn(css, mustache) });
  if (end >= 0) tooLarge.push({ key: 'unsafe_context.css_end', ...placeIn(css, end) });
  return tooLarge;
}

function countMustaches(text: string): number {
  let count = 0;
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at + 2)) count++;
  return count;
}

function placeIn(css: string, at: number) {
  const lines = css.slice(0, at).split('\n');
  const line = lines.length;
  const col = (lines.at(-1)?.length ?? 0) + 1;
  return { params: { field: 'css', line, col }, loc: ['body', 'css'], line, col };
}

type CompilePool = {
  compile(source: Source, asker?: QueueCaller): Promise<CompileResult>;
  close(): Promise<void>;
};

/** Compiles in threads of its own, each source for at most `ms`. */
function createCompilePool(threads: number, ms: number): CompilePool {
  const { memoryMb } = COMPILE_LIMITS;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const pool = createThreadPool<{ readonly source: Source }, CompileResult>({
    file: new URL(`./compile-worker.${extension}`, import.meta.url),
    name: 'compileJob',
    threads,
    timeoutMs: ms,
    memoryMb,
    busy: () => new Fault('unavailable.compiler_busy', {}, { retryAfterSeconds: 2 }),
    tooSlow: (_job, cause) => new Fault('template_too_complex.time', { limit: ms }, { cause }),
    tooLarge: (_job, cause) => new Fault('template_too_complex.memory', { limit: memoryMb }, { cause }),
  });
  return { compile: (source, asker) => pool.run({ source }, asker), close: pool.close };
}
