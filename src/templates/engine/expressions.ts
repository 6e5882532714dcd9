import type { ExpressionNode, MustacheNode, SubExpressionNode } from './ast.ts';
import type { Book, Use } from './book.ts';
import { nameOf, type Ref } from './paths.ts';
import { type Frame, resolve } from './scope.ts';
import { VOCABULARY } from './vocabulary/vocabulary.ts';

/** Where an expression is read: what its paths start from, and what the enclosing blocks have asked for. */
export type Site = { readonly frame: Frame; readonly guards: readonly string[] };

/** Notes in the book what an expression reads. Each function answers the one place in the data it stands for, if any. */
export function createExpressionReader(book: Book) {
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
    if (ref) book.note(ref, fallback?.type === 'NumberLiteral' ? 'number' : 'print', false);
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
