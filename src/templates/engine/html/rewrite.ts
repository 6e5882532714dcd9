import type { FaultKey } from '../../../errors.ts';
import type { ExpressionNode, MustacheNode, PathNode, ProgramNode, StatementNode } from '../language/ast.ts';
import { INTERNAL, LAYOUT } from '../vocabulary/vocabulary.ts';
import { addressStatus } from './address.ts';
import { addressOf, type HtmlState, isAddress } from './state.ts';

/** Where each expression of an HTML source prints, and what the data calls it. */
export type Printing = { readonly place: Place; readonly name: string };

/** An expression that no analysis has seen gets the strictest check there is. */
const UNKNOWN: Printing = { place: 'part', name: '' };

/**
 * Gives every expression the check that its place asks for, in the tree itself, so that no path to it can go around the check. In a
 * field that is not HTML nothing is escaped, and `{{{x}}}` means `{{x}}`.
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

/**
 * What is printed at an expression: HTML `text`, a `value` that must only be escaped, a value inside a `style`, or an address to
 * check: a whole one of an `image` or another `url`, or the `part` of one whose scheme is not decided yet.
 */
export type Place = 'text' | 'value' | 'style' | 'image' | 'url' | 'part';

const STRICTNESS: readonly Place[] = ['text', 'value', 'style', 'image', 'url', 'part'];

/** The place an expression at this state prints to, or the fault it is refused with. */
export function placeOf(state: HtmlState): { place: Place } | { refused: FaultKey } {
  switch (state.mode) {
    case 'text':
      return { place: 'text' };
    case 'comment':
    case 'cdata':
      return { place: 'value' };
    case 'raw':
      // A value could be the rest of the end tag's name.
      if (state.tail.startsWith('<')) return { refused: 'unsafe_context.tag' };
      if (state.tag === 'script') return { refused: 'unsafe_context.script' };
      return state.tag === 'style' ? { refused: 'unsafe_context.style' } : { place: 'value' };
    case 'quoted':
      return placeInAttribute(state);
    case 'before-value':
    case 'unquoted':
      return { refused: 'unsafe_context.unquoted' };
    default:
      return { refused: 'unsafe_context.tag' };
  }
}

function placeInAttribute(state: HtmlState): { place: Place } | { refused: FaultKey } {
  const { tag, attribute } = state;
  if (attribute.startsWith('on')) return { refused: 'unsafe_context.event' };
  if (attribute === 'srcdoc') return { refused: 'unsafe_context.srcdoc' };
  if (tag === 'animate' || tag === 'set') return { refused: 'unsafe_context.animation' };
  // At the start of a style, the data is meant to be the declarations.
  if (attribute === 'style') return { place: state.value === '' ? 'value' : 'style' };
  if (!isAddress(state)) return { place: 'value' };
  if (tag === 'script' || tag === 'base') return { refused: 'unsafe_context.code_address' };
  switch (addressStatus(addressOf(state))) {
    case 'start':
      return { place: isImage(state) ? 'image' : 'url' };
    case 'open':
    case 'split':
      return { place: 'part' };
    case 'decided':
      return { place: 'value' };
    case 'script':
      return { refused: 'unsafe_context.script_address' };
  }
}

function isImage({ tag, attribute }: HtmlState): boolean {
  if (/^(?:iframe|frame|embed|object)$/.test(tag)) return false;
  return /^(?:src|srcset|background|poster)$/.test(attribute);
}

export function stricter(a: Place | undefined, b: Place): Place {
  return a && STRICTNESS.indexOf(a) > STRICTNESS.indexOf(b) ? a : b;
}
