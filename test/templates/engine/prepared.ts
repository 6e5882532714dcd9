import Handlebars from 'handlebars';
import { compile } from '../../../src/templates/engine/compile.ts';
import type { Output, Program, RenderOptions, Source } from '../../../src/templates/engine/engine.ts';
import { RENDER_LIMITS } from '../../../src/templates/engine/limits.ts';
import { faultOf } from '../../../src/templates/engine/problem.ts';
import { createProgram } from '../../../src/templates/engine/render/program.ts';
import { renderProgram } from '../../../src/templates/engine/render/render.ts';
import { loadRichText } from '../../../src/templates/engine/render/rich-text.ts';
import { meter } from '../../../src/templates/engine/render/runtime.ts';
import type { JsonObject } from '../../../src/templates/engine/variable.ts';
import { vettedHelpers } from '../../../src/templates/engine/vocabulary/helpers.ts';

await loadRichText();

/** Prepares a source in this thread: what the engine does in a worker, without one for each of hundreds of cases. */
export function prepared(source: string | (Omit<Source, 'kind'> & { kind?: Source['kind'] })): Program {
  // In a layout, so that a test may put one around it; that both forms render alike is a test of its own.
  const base = { kind: 'template', inLayout: true } as const;
  const whole: Source = typeof source === 'string' ? { ...base, html: source } : { ...base, ...source };
  const compiled = compile(whole);
  if ('problems' in compiled) throw faultOf(compiled.problems);
  return createProgram(whole, compiled);
}

type Given = Partial<Omit<RenderOptions, 'partials' | 'limits'>> & {
  partials?: Record<string, string | Program>;
  limits?: RenderOptions['limits'];
};

/** Renders a program, or a template's html, with partials given as html or as programs. */
export function output(
  program: string | Program,
  data: JsonObject = {},
  { partials = {}, ...given }: Given = {},
): Output {
  const ready = Object.entries(partials).map(
    ([name, one]) =>
      [name, typeof one === 'string' ? prepared({ kind: 'partial', html: one }) : one] as const,
  );
  const limits = { ...RENDER_LIMITS, ...given.limits };
  const main = typeof program === 'string' ? prepared(program) : program;
  return renderProgram(main, data, { ...given, limits, partials: new Map(ready) });
}

export function html(program: string | Program, data: JsonObject = {}, given: Given = {}): string {
  return output(program, data, given).html;
}

/** What Handlebars itself makes of a template, with the same helpers and options. */
export function stock(
  template: string,
  data: JsonObject = {},
  partials: Record<string, string> = {},
): string {
  const handlebars = Handlebars.create();
  handlebars.registerHelper(vettedHelpers(meter));
  const knownHelpers = Object.fromEntries(Object.keys(handlebars.helpers).map((name) => [name, true]));
  const options = { knownHelpersOnly: true, knownHelpers, preventIndent: true };
  const compiled = Object.entries(partials).map(
    ([name, text]) => [name, handlebars.compile(text, options)] as const,
  );
  return handlebars.compile(template, options)(data, { partials: Object.fromEntries(compiled) });
}

/** The faults of a source: the key and place of every problem. */
export function problemsOf(source: Parameters<typeof prepared>[0]): string[] {
  const whole: Source =
    typeof source === 'string' ? { kind: 'template', html: source } : { kind: 'template', ...source };
  const compiled = compile(whole);
  if (!('problems' in compiled)) return [];
  return compiled.problems.map(({ key, loc, line, col }) => {
    return `${key} ${loc.slice(1).join('.')}${line === undefined ? '' : ` ${line}:${col}`}`;
  });
}
