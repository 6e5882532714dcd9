import {
  type BlockNode,
  type DecoratorBlockNode,
  type PartialBlockNode,
  type PartialNode,
  type ProgramNode,
  partialName,
  type StatementNode,
} from './ast.ts';
import { checkArguments, checkCall, type Report } from './helper-calls.ts';
import { type Problem, problemAt } from './problem.ts';
import type { TemplateKind } from './source.ts';

type Scope = {
  readonly kind: TemplateKind;
  /** Names that the enclosing blocks give to values. */
  readonly blockParams: readonly string[];
  /** Inside an inline partial, which has a block of its own to show. */
  readonly inline: boolean;
};

/**
 * Checks what a field calls: helpers against the vocabulary, partials by fixed names, no decorator but `inline`. Names that could
 * be a helper or a variable are settled in the tree: a helper called with nothing means the variable of that name.
 */
export function checkSyntax(program: ProgramNode, field: string, kind: TemplateKind): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (key, node, params) => problems.push(problemAt(key, field, node, params));
  checkProgram(program, { kind, blockParams: [], inline: false }, report);
  return problems;
}

function checkProgram(program: ProgramNode | undefined, outer: Scope, report: Report): void {
  if (!program) return;
  const scope = { ...outer, blockParams: [...outer.blockParams, ...(program.blockParams ?? [])] };
  for (const statement of program.body) checkStatement(statement, scope, report);
}

function checkStatement(node: StatementNode, scope: Scope, report: Report): void {
  switch (node.type) {
    case 'MustacheStatement':
      checkCall(node, 'value', scope.blockParams, report);
      return;
    case 'BlockStatement':
      checkBlock(node, scope, report);
      return;
    case 'PartialStatement':
    case 'PartialBlockStatement':
      checkPartial(node, scope, report);
      return;
    case 'DecoratorBlock':
      checkInline(node, scope, report);
      return;
    case 'Decorator':
      report('template_invalid.decorator', node);
      return;
    case 'ContentStatement':
    case 'CommentStatement':
      return;
  }
}

function checkBlock(node: BlockNode, scope: Scope, report: Report): void {
  checkCall(node, 'block', scope.blockParams, report);
  checkProgram(node.program, scope, report);
  checkProgram(node.inverse, scope, report);
}

function checkPartial(node: PartialNode | PartialBlockNode, scope: Scope, report: Report): void {
  const name = partialName(node);
  const alone = node.type === 'PartialStatement';
  if (node.name.type === 'SubExpression') {
    report('template_invalid.partial_dynamic', node);
  } else if (name === '@partial-block') {
    if (alone && scope.kind === 'template' && !scope.inline) report('template_invalid.slot_outside', node);
  } else if (name.startsWith('@')) {
    report('template_invalid.partial_dynamic', node);
  } else if (node.params.length > 1) {
    report('template_invalid.partial_arguments', node, { name });
  }
  checkArguments(node, scope.blockParams, report);
  if (!alone) checkProgram(node.program, scope, report);
}

function checkInline(node: DecoratorBlockNode, scope: Scope, report: Report): void {
  const named = node.params.length === 1 && node.params[0]?.type === 'StringLiteral';
  if (node.path.original !== 'inline' || !named || node.hash) report('template_invalid.decorator', node);
  checkProgram(node.program, { ...scope, inline: true }, report);
}
