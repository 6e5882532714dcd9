import type { ExpressionNode, MustacheNode, PathNode, ProgramNode, StatementNode } from './ast.ts';
import type { Place } from './place.ts';
import { INTERNAL, LAYOUT } from './vocabulary/vocabulary.ts';

/** Where each mustache of an html source prints, and what the data calls it. */
export type Printing = { readonly place: Place; readonly name: string };

/** A mustache that no analysis has seen gets the strictest check there is. */
const UNKNOWN: Printing = { place: 'part', name: '' };

/**
 * Gives every mustache the check that its place asks for, in the tree itself, so that no path to it can go around the check. In a
 * field that is not html nothing is escaped, and `{{{x}}}` means `{{x}}`.
 */
export function rewriteMustaches(
  program: ProgramNode,
  printing: ReadonlyMap<MustacheNode, Printing> | null,
): void {
  for (const node of program.body) {
    if (node.type === 'MustacheStatement') {
      if (printing) rewrite(node, printing.get(node) ?? UNKNOWN);
      else node.escaped = true;
    }
    for (const inner of programsOf(node)) rewriteMustaches(inner, printing);
  }
}

/** Puts a template into the block of its layout, as `{{#> @layout}}…{{/@layout}}` would; without a layout the block itself is shown. */
export function insideLayout(program: ProgramNode): ProgramNode {
  return {
    type: 'Program',
    body: [{ type: 'PartialBlockStatement', name: pathTo(LAYOUT), params: [], program }],
  };
}

function rewrite(node: MustacheNode, { place, name }: Printing): void {
  if (!node.escaped) call(node, INTERNAL.html, name);
  else if (place !== 'text' && place !== 'value') call(node, INTERNAL[place], name);
}

function call(node: MustacheNode, helper: string, name: string): void {
  const { path, params, hash } = node;
  const plain = params.length === 0 && !hash;
  const value: ExpressionNode = plain ? path : { type: 'SubExpression', path, params, hash, loc: node.loc };
  node.path = pathTo(helper);
  node.params = [value, { type: 'StringLiteral', value: name, original: name }];
  node.hash = undefined;
}

function pathTo(name: string): PathNode {
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name };
}

function programsOf(node: StatementNode): readonly ProgramNode[] {
  const programs = [];
  if ('program' in node && node.program) programs.push(node.program);
  if ('inverse' in node && node.inverse) programs.push(node.inverse);
  return programs;
}
