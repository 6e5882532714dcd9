import { BRAND, ITEM, nameOf, type Ref, ROOT } from '../paths.ts';
import type { TemplateKind } from '../source.ts';
import { VOCABULARY } from '../vocabulary/vocabulary.ts';
import {
  type ExpressionNode,
  isScoped,
  type MustacheNode,
  type PathNode,
  type SubExpressionNode,
} from './ast.ts';
import type { Use, VariableUsage } from './variable-usage.ts';

/** Where an expression is read: what its paths start from, and what the enclosing blocks have asked for. */
export type Site = { readonly frame: Frame; readonly guards: readonly string[] };

/** Notes in the book what an expression reads. Each function returns the one place in the data it stands for, if any. */
export function createExpressionReader(book: VariableUsage) {
  function note(ref: Ref | null, use: Use, site: Site): void {
    if (ref) book.note(ref, use, use !== 'test' && !site.guards.includes(nameOf(ref)));
  }

  function print(node: MustacheNode, site: Site): Ref | null {
    if (node.params.length > 0 || node.hash) return readCall(node, site);
    const ref = resolve(node.path, site.frame);
    note(ref, 'print', site);
    return ref;
  }

  function read(node: ExpressionNode, use: Use, site: Site): Ref | null {
    if (node.type === 'SubExpression') return readCall(node, site);
    if (node.type !== 'PathExpression') return null;
    const ref = resolve(node, site.frame);
    note(ref, use, site);
    return ref;
  }

  function readCall(node: MustacheNode | SubExpressionNode, site: Site): Ref | null {
    const name = node.path.original;
    if (name === 't') book.note([...site.frame.root, 'translations'], 'whole', false);
    for (const pair of node.hash?.pairs ?? []) read(pair.value, 'print', site);
    if (name === 'default') return readDefault(node, site);
    const uses = usesOf(node);
    const refs = node.params.map((param, index) => read(param, uses[index] ?? 'print', site));
    return name === 'lookup' ? null : (refs[0] ?? null);
  }

  /** `{{default name "you"}}` leaves no hole without the name. */
  function readDefault(node: MustacheNode | SubExpressionNode, site: Site): Ref | null {
    const [value, fallback] = node.params;
    if (fallback) read(fallback, 'print', site);
    if (value?.type === 'SubExpression') return readCall(value, site);
    const ref = value?.type === 'PathExpression' ? resolve(value, site.frame) : null;
    if (ref) book.noteDefault(ref, fallback?.type === 'NumberLiteral' ? 'number' : 'print');
    return ref;
  }

  /** The names a condition asks for. */
  function test(node: ExpressionNode, site: Site, use: Use = 'test'): string[] {
    if (node.type === 'SubExpression') {
      const values = node.hash?.pairs.map((pair) => pair.value) ?? [];
      const compared = comparedAs(node);
      return [...node.params, ...values].flatMap((param) => test(param, site, compared));
    }
    const ref = node.type === 'PathExpression' ? resolve(node, site.frame) : null;
    if (ref) book.note(ref, use, false);
    return guardOf(ref);
  }

  /** Notes a section's name, which is a test and a loop in one. */
  function section(ref: Ref | null, site: Site): string[] {
    note(ref, 'test', site);
    return guardOf(ref);
  }

  return { print, read, test, section };
}

function guardOf(ref: Ref | null): string[] {
  const asked = ref?.at(-1) === 'length' ? ref.slice(0, -1) : ref;
  return asked && asked.length > 0 ? [nameOf(asked)] : [];
}

function usesOf(node: MustacheNode | SubExpressionNode): readonly Use[] {
  const name = node.path.original;
  if (name === 'lookup') return ['whole', 'print'];
  if (name === 'lt' || name === 'gt') return ['number', 'number'];
  const first = VOCABULARY.get(name)?.reads;
  return first ? [first] : [];
}

/** What the other side of a comparison says about a variable. */
function comparedAs(node: SubExpressionNode): Use {
  if (/^(?:and|or|not)$/.test(node.path.original)) return 'test';
  if (/^(?:lt|gt)$/.test(node.path.original)) return 'number';
  if (node.params.some((param) => param.type === 'NumberLiteral')) return 'number';
  return node.params.some((param) => param.type === 'StringLiteral') ? 'print' : 'test';
}

/** What `this` means at some point of a template; a null context is one that only the data decides. */
type Frame = {
  readonly context: Ref | null;
  readonly blockParams: ReadonlyMap<string, Ref | null>;
  /** What `../../` leads to. */
  readonly outer: Frame | null;
  readonly root: Ref;
};

export function rootFrame(kind: TemplateKind): Frame {
  return { context: [], blockParams: new Map(), outer: null, root: kind === 'partial' ? [ROOT] : [] };
}

/** The frame inside a block that changes the context; `names` are the block's parameters and what they stand for. */
export function innerFrame(
  outer: Frame,
  context: Ref | null,
  names: readonly string[] = [],
  values: readonly (Ref | null)[] = [],
): Frame {
  const blockParams = new Map(names.map((name, index) => [name, values[index] ?? null]));
  return { context, blockParams, outer, root: outer.root };
}

/** The place in the data that a path means, or null when it means none (`@index`) or one that is not known before a render. */
export function resolve(path: PathNode, frame: Frame): Ref | null {
  if (path.data) return resolveData(path.parts, frame);
  let from: Frame | null = frame;
  if (path.depth === 0 && !isScoped(path)) {
    const param = blockParam(path.parts[0] ?? '', frame);
    if (param) return param.ref && [...param.ref, ...fields(path.parts.slice(1))];
  }
  for (let up = 0; up < path.depth && from; up++) from = from.outer;
  return from?.context ? [...from.context, ...fields(path.parts)] : null;
}

function resolveData([first, ...rest]: readonly string[], { root }: Frame): Ref | null {
  if (first === 'brand') return [BRAND, ...fields(rest)];
  return first === 'root' ? [...root, ...fields(rest)] : null;
}

function blockParam(name: string, frame: Frame): { ref: Ref | null } | null {
  for (let from: Frame | null = frame; from; from = from.outer) {
    const ref = from.blockParams.get(name);
    if (ref !== undefined) return { ref };
  }
  return null;
}

/** `items.0` is one of the items. */
function fields(parts: readonly string[]): readonly string[] {
  return parts.map((part) => (/^\d+$/.test(part) ? ITEM : part));
}
