import type { Compiled } from '../compile.ts';
import type { PartialCall } from '../language/variable-references.ts';
import { FIELDS, type Field, type Source, type TemplateKind } from '../source.ts';
import type { Variable } from '../variable.ts';
import { createTemplate, type Mode, type TemplateFunction } from './runtime.ts';

/** A source that has been checked and compiled, ready to render any number of times. */
export type Program = {
  readonly kind: TemplateKind;
  /** What this source alone reads and declares; `variablesOf` adds its layout's and its partials'. */
  readonly variables: readonly Variable[];
  /** What it reads of the account's brand, by names such as `@brand.name`. */
  readonly brand: readonly Variable[];
  /** Names of the partials without which it does not render. */
  readonly partials: readonly string[];
  /** Names of partials that it brings a block for, in case they do not exist. */
  readonly optionalPartials: readonly string[];
  readonly calls: readonly PartialCall[];
  readonly css: string | null;
  /** Whether it can be rendered with a layout. */
  readonly inLayout: boolean;
  /** Characters of code, which is most of what it keeps in memory. */
  readonly weight: number;
  readonly fields: Readonly<Partial<Record<Field, CompiledField>>>;
};

/** A field's function: as HTML, or as text where it stands in a text. */
type CompiledField = (mode: Mode) => TemplateFunction;

export function createProgram(source: Source, { code, variables, brand, calls }: Compiled): Program {
  const fields = FIELDS.flatMap((field) => {
    const text = code[field];
    return text === undefined ? [] : [[field, createField(text)] as const];
  });
  const needed = new Set(calls.filter((call) => !call.fallback).map((call) => call.name));
  const named = new Set(calls.map((call) => call.name));
  return {
    kind: source.kind,
    variables,
    brand,
    partials: [...needed],
    optionalPartials: [...named].filter((name) => !needed.has(name)),
    calls,
    css: source.css?.trim() ? source.css : null,
    inLayout: source.inLayout === true,
    weight: Object.values(code).reduce((sum, text) => sum + text.length, 0),
    fields: Object.fromEntries(fields),
  };
}

function createField(code: string): CompiledField {
  const made: Partial<Record<Mode, TemplateFunction>> = {};
  return (mode) => {
    made[mode] ??= createTemplate(code, mode);
    return made[mode];
  };
}
