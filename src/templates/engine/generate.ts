import Handlebars from 'handlebars';
import type { ProgramNode } from './ast.ts';
import { INTERNAL, VOCABULARY } from './vocabulary/vocabulary.ts';

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
export function generate(program: ProgramNode): string {
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
