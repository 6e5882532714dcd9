import Handlebars from 'handlebars';
import { findContexts } from './html/html.ts';
import { insideLayout, type Printing, rewriteMustaches } from './html/rewrite.ts';
import { type MustacheNode, type ProgramNode, partialName } from './language/ast.ts';
import { checkNesting } from './language/nesting-limit.ts';
import { parse, trimWhitespace } from './language/parse.ts';
import { readSchema } from './language/schema.ts';
import { checkSyntax } from './language/syntax.ts';
import { findReferences, type PartialCall, type VariableReferences } from './language/variable-references.ts';
import { createVariableUsage, type VariableUsage } from './language/variable-usage.ts';
import { declareVariables } from './language/variables.ts';
import { COMPILE_LIMITS } from './limits.ts';
import { BRAND, nameOf, type Ref, refOf } from './paths.ts';
import { type Problem, problemAt } from './problem.ts';
import { FIELDS, type Field, type Source, type TemplateKind } from './source.ts';
import type { Variable } from './variable.ts';
import { INTERNAL, VOCABULARY } from './vocabulary/vocabulary.ts';

/** A source turned into code and facts, as plain data that can cross a thread. */
export type Compiled = {
  /** JavaScript of the template functions of each field. */
  readonly code: Readonly<Partial<Record<Field, string>>>;
  readonly variables: readonly Variable[];
  /** What it reads of the account's brand. */
  readonly brand: readonly Variable[];
  readonly calls: readonly PartialCall[];
  /** Whether a field prints HTML from its data, which needs the sanitizer. */
  readonly richText: boolean;
};

type Parsed = { readonly field: Field; readonly program: ProgramNode };
type Analysed = Parsed & {
  readonly reads: VariableReferences;
  readonly places: ReadonlyMap<MustacheNode, Printing['place']> | null;
};

/** Parses, checks, analyses and compiles a source. Time is not bounded here: untrusted sources are compiled in a worker. */
export function compile(source: Source): Compiled | { readonly problems: readonly [Problem, ...Problem[]] } {
  const problems: Problem[] = [];
  const parsed = FIELDS.flatMap((field) => parseField(source, field, problems));
  const schema = readSchema(source.schema ?? {});
  problems.push(...schema.problems);
  if (parsed.some(({ field }) => field === 'html')) problems.push(...findSlots(source.kind, parsed));
  const book = createVariableUsage();
  const analysed = parsed.map((one) => analyze(one, source, book, problems));
  const complete = analysed.every(({ reads }) => reads.complete);
  const all = complete ? declareVariables(book.variables(), schema.declared) : [];
  const [brand, variables] = [all.filter(isOfBrand), all.filter((variable) => !isOfBrand(variable))];
  const raw = complete ? analysed.flatMap((one) => rawMustaches(one, all, problems)) : [];
  const [first, ...rest] = problems;
  if (first) return { problems: [first, ...rest] };
  const code = Object.fromEntries(analysed.map((one) => [one.field, emit(one, source)]));
  const calls = analysed.flatMap(({ reads }) => reads.calls);
  return { code, variables, brand, calls, richText: raw.length > 0 };
}

function isOfBrand({ name }: Variable): boolean {
  return refOf(name)[0] === BRAND;
}

function parseField(source: Source, field: Field, problems: Problem[]): Parsed[] {
  const text = source[field];
  if (text === undefined) return [];
  const parsed = parse(text, field);
  if ('problem' in parsed) {
    problems.push(parsed.problem);
    return [];
  }
  const { program } = parsed;
  const tooDeep = checkNesting(program, field);
  if (tooDeep) {
    problems.push(tooDeep);
    return [];
  }
  trimWhitespace(program);
  problems.push(...checkSyntax(program, field, source.kind));
  return [{ field, program }];
}

function analyze(
  { field, program }: Parsed,
  { kind }: Source,
  book: VariableUsage,
  problems: Problem[],
): Analysed {
  const reads = findReferences(program, kind, book);
  if (!reads.complete) {
    const limit = COMPILE_LIMITS.variables;
    problems.push(problemAt('template_too_complex.variables', field, program, { limit }));
  }
  if (field !== 'html') return { field, program, reads, places: null };
  const contexts = findContexts(program, kind === 'partial');
  problems.push(...contexts.problems);
  return { field, program, reads, places: contexts.places };
}

/** `{{{x}}}` prints HTML, so the schema must say that x is HTML; it is sanitized when it is printed. */
function rawMustaches(
  { reads, places }: Analysed,
  variables: readonly Variable[],
  problems: Problem[],
): MustacheNode[] {
  if (!places) return [];
  const html = new Set(variables.filter(({ type }) => type === 'html').map(({ name }) => name));
  const raw = [...reads.printed.keys()].filter((node) => !node.escaped);
  for (const node of raw) {
    const simple = node.params.length === 0 || node.path.original === 'default';
    const wrong = (reads.printed.get(node) ?? []).find((ref) => !simple || !ref || !html.has(nameOf(ref)));
    if (wrong === undefined) continue;
    problems.push(
      problemAt('unsafe_context.raw', 'html', node, { name: wrong ? nameOf(wrong) : node.path.original }),
    );
  }
  return raw;
}

function emit({ field, program, reads, places }: Analysed, { kind, inLayout }: Source): string {
  rewriteMustaches(program, places && printingOf(places, reads));
  const wraps = inLayout === true && kind === 'template' && (field === 'html' || field === 'text');
  return generate(wraps ? insideLayout(program) : program);
}

function printingOf(
  places: NonNullable<Analysed['places']>,
  reads: VariableReferences,
): Map<MustacheNode, Printing> {
  const named = (node: MustacheNode, ref: Ref | null | undefined) =>
    ref ? nameOf(ref) || 'this' : node.path.original;
  return new Map(
    [...places].map(([node, place]) => [node, { place, name: named(node, reads.printed.get(node)?.[0]) }]),
  );
}

type Options = Readonly<Record<string, unknown>>;
type Compiler = { compile(program: ProgramNode, options: Options): object };
type JavaScriptCompiler = { compile(environment: object, options: Options): string };

// The typings leave both compilers out; they are documented as the way to compile a tree.
const { Compiler, JavaScriptCompiler } = Handlebars as unknown as {
  Compiler: new () => Compiler;
  JavaScriptCompiler: new () => JavaScriptCompiler;
};

/**
 * The JavaScript of a template's functions. `Handlebars.precompile` does the same, but would apply whitespace control a second time
 * to a tree that has had it.
 */
function generate(program: ProgramNode): string {
  const options = { data: true, knownHelpersOnly: true, knownHelpers: knownHelpers(), preventIndent: true };
  const environment = new Compiler().compile(program, options);
  return new JavaScriptCompiler().compile(environment, options);
}

/** Handlebars adds its own to this list, so those that are not for templates are named to be left out. */
function knownHelpers(): Record<string, boolean> {
  const known: Record<string, boolean> = { helperMissing: false, blockHelperMissing: false, log: false };
  for (const name of [...VOCABULARY.keys(), ...Object.values(INTERNAL)]) known[name] = true;
  return known;
}

/** A layout must say where the content goes. */
function findSlots(
  kind: TemplateKind,
  parsed: readonly { readonly field: Field; readonly program: ProgramNode }[],
): Problem[] {
  if (kind !== 'layout') return [];
  return parsed
    .filter(({ field, program }) => (field === 'html' || field === 'text') && !hasSlot(program))
    .map(({ field, program }) =>
      problemAt('template_invalid.slot_missing', field, program, { slot: '{{> @partial-block}}' }),
    );
}

function hasSlot(program: ProgramNode | undefined): boolean {
  if (!program) return false;
  return program.body.some((node) => {
    if (node.type === 'PartialStatement' || node.type === 'PartialBlockStatement') {
      if (partialName(node) === '@partial-block') return true;
    }
    const inner = 'program' in node && hasSlot(node.program);
    return inner || ('inverse' in node && hasSlot(node.inverse));
  });
}
