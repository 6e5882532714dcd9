import type {
  BlockNode,
  CallNode,
  ExpressionNode,
  Location,
  ProgramNode,
  StatementNode,
} from '../../engine/language/ast.ts';
import { parse } from '../../engine/language/parse.ts';
import { COMPILE_LIMITS } from '../../engine/limits.ts';

/** Where something stands in a text: offsets, the end not included. */
export type Span = { readonly start: number; readonly end: number };

type Located = { readonly loc?: Location | undefined };

/** An expression to rewrite, with its place in the text. */
export type Visitor = {
  /** An expression, a block or a bracketed call. `chained` is a block that began with else. */
  call?(node: CallNode, chained: boolean): void;
  partial?(node: Extract<StatementNode, { type: 'PartialStatement' | 'PartialBlockStatement' }>): void;
};

/** The calls of a text, for rewriting them; nothing where it does not parse, which the engine's check tells better. */
export function readExpressions(text: string, visit: (spanOf: (node: Located) => Span) => Visitor): void {
  if (!isReadable(text)) return;
  const parsed = parse(text, 'html');
  if ('problem' in parsed) return;
  const starts = lineStarts(text);
  const offset = ({ line, column }: { line: number; column: number }) => (starts[line - 1] ?? 0) + column;
  const visitor = visit((node) => {
    // Handlebars gives every node both ends; the engine itself needs only the first.
    const { start, end } = node.loc as Location & { end: Location['start'] };
    return { start: offset(start), end: offset(end) };
  });
  readProgram(parsed.program, visitor, 0);
}

/** Longer and deeper texts are refused by the engine in any case, so they are not parsed in this thread. */
function isReadable(text: string): boolean {
  const { sourceBytes, mustaches, treeLevels } = COMPILE_LIMITS;
  return (
    text.length <= sourceBytes && text.split('{{').length <= mustaches + 1 && levelsOf(text) <= treeLevels
  );
}

/** How deep blocks and the links of else chains go. Parsing takes time that grows with the square of it. */
function levelsOf(text: string): number {
  const open: number[] = [];
  let levels = 0;
  let deepest = 0;
  for (const [, sign = ''] of text.matchAll(/\{\{~?\s*(#|\^|\/|else\b)/g)) {
    if (sign === '#' || sign === '^') open.push(1);
    else if (sign === 'else') open.push((open.pop() ?? 0) + 1);
    levels += sign === '/' ? -(open.pop() ?? 0) : 1;
    deepest = Math.max(deepest, levels);
  }
  return deepest;
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\r\n?|\n/g)].map((match) => match.index + match[0].length)];
}

function readProgram(program: ProgramNode | undefined, visitor: Visitor, level: number): void {
  // Deeper ones are refused by the engine.
  if (!program || level > COMPILE_LIMITS.treeLevels) return;
  for (const [index, node] of program.body.entries()) {
    readStatement(node, visitor, level, program.chained === true && index === 0);
  }
}

function readStatement(node: StatementNode, visitor: Visitor, level: number, chained: boolean): void {
  switch (node.type) {
    case 'MustacheStatement':
      readCall(node, visitor, level, false);
      return;
    case 'BlockStatement':
      readBlock(node, visitor, level, chained);
      return;
    case 'PartialStatement':
    case 'PartialBlockStatement':
      visitor.partial?.(node);
      if (node.type === 'PartialBlockStatement') readProgram(node.program, visitor, level + 1);
      return;
    case 'DecoratorBlock':
      readProgram(node.program, visitor, level + 1);
      return;
    case 'Decorator':
    case 'ContentStatement':
    case 'CommentStatement':
      return;
  }
}

function readBlock(node: BlockNode, visitor: Visitor, level: number, chained: boolean): void {
  readCall(node, visitor, level, chained);
  readProgram(node.program, visitor, level + 1);
  readProgram(node.inverse, visitor, level + 1);
}

function readCall(node: CallNode, visitor: Visitor, level: number, chained: boolean): void {
  visitor.call?.(node, chained);
  const values: ExpressionNode[] = [...node.params, ...(node.hash?.pairs.map((pair) => pair.value) ?? [])];
  if (level > COMPILE_LIMITS.treeLevels) return;
  for (const value of values) if (value.type === 'SubExpression') readCall(value, visitor, level + 1, false);
}
