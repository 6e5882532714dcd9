import { COMPILE_LIMITS } from '../limits.ts';
import { type Problem, problemAt } from '../problem.ts';
import type { ExpressionNode, HashNode, Location, ProgramNode, StatementNode } from './ast.ts';

type Pending = { readonly program: ProgramNode; readonly level: number; readonly tree: number };

/**
 * Refuses trees that are too deep or too wide for what follows, which is recursive. It keeps its own stack, because the parser
 * builds a tree of any depth.
 */
export function checkNesting(program: ProgramNode, field: string): Problem | null {
  const pending: Pending[] = [{ program, level: 0, tree: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { blockLevels, treeLevels } = COMPILE_LIMITS;
    if (next.level > blockLevels || next.tree > treeLevels) {
      const place = next.program.body[0] ?? next.program;
      return problemAt('template_too_complex.blocks', field, place, {
        count: next.level,
        limit: blockLevels,
      });
    }
    for (const statement of next.program.body) {
      const wide = checkExpressions(statement, field);
      if (wide) return wide;
      pending.push(...inner(statement, next));
    }
  }
  return null;
}

function inner(statement: StatementNode, { level, tree }: Pending): Pending[] {
  const programs: Pending[] = [];
  if ('program' in statement && statement.program) {
    programs.push({ program: statement.program, level: level + 1, tree: tree + 1 });
  }
  if ('inverse' in statement && statement.inverse) {
    // An `else if` is written beside its `if`, however deep the tree has it.
    const beside = statement.inverse.chained ? level : level + 1;
    programs.push({ program: statement.inverse, level: beside, tree: tree + 1 });
  }
  return programs;
}

type PendingExpression = { readonly expression: ExpressionNode; readonly level: number };

function checkExpressions(statement: StatementNode, field: string): Problem | null {
  if (!('params' in statement)) return null;
  const head = 'path' in statement ? statement.path : statement.name;
  const pending: PendingExpression[] = [head, ...parts(statement)].map((expression) => ({
    expression,
    level: 1,
  }));
  let count = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    count++;
    if (tooWide(next, count)) return tooComplex(statement, field);
    if (next.expression.type !== 'SubExpression') continue;
    const level = next.level + 1;
    pending.push({ expression: next.expression.path, level });
    for (const expression of parts(next.expression)) pending.push({ expression, level });
  }
  return null;
}

function tooWide({ expression, level }: PendingExpression, count: number): boolean {
  if (level > COMPILE_LIMITS.expressionLevels || count > COMPILE_LIMITS.callArguments) return true;
  if (expression.type !== 'PathExpression') return false;
  return expression.parts.length + expression.depth > COMPILE_LIMITS.pathSegments;
}

function parts(call: { params: ExpressionNode[]; hash?: HashNode | undefined }): ExpressionNode[] {
  return [...call.params, ...(call.hash?.pairs.map((pair) => pair.value) ?? [])];
}

function tooComplex(place: { readonly loc?: Location | undefined }, field: string): Problem {
  const { expressionLevels, callArguments, pathSegments } = COMPILE_LIMITS;
  return problemAt('template_too_complex.expression', field, place, {
    levels: expressionLevels,
    arguments: callArguments,
    segments: pathSegments,
  });
}
