import type { FaultKey, FaultParams } from '../../../errors.ts';
import { type Problem, problemAt } from '../problem.ts';
import type { TemplateKind } from '../source.ts';
import { INTERNAL, nearestHelper, VOCABULARY } from '../vocabulary/vocabulary.ts';
import {
  type BlockNode,
  type CallNode,
  type DecoratorBlockNode,
  type ExpressionNode,
  type HashNode,
  isSimple,
  type Location,
  type PartialBlockNode,
  type PartialNode,
  type PathNode,
  type ProgramNode,
  partialName,
  type StatementNode,
} from './ast.ts';
import { BRAND_NAMES, isBrandPath } from './brand-names.ts';
import { asPath } from './parse.ts';

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

type Report = (key: FaultKey, node: { readonly loc?: Location | undefined }, params?: FaultParams) => void;

const INTERNAL_NAMES = new Set<string>(Object.values(INTERNAL));
const DATA_NAMES = new Set([
  'root',
  'index',
  'key',
  'first',
  'last',
  'locale',
  'subject',
  'preheader',
  'brand',
]);

/**
 * Checks an expression, block or bracketed expression against the vocabulary, and settles in the tree what a name alone means.
 */
function checkCall(
  node: CallNode,
  form: 'value' | 'block',
  blockParams: readonly string[],
  report: Report,
): void {
  node.path = asPath(node.path);
  const tested = TESTS.has(node.path.original) ? node.params.filter((param) => !isSlot(param)) : node.params;
  checkArguments({ ...node, params: tested }, blockParams, report);
  if (!isKnownPath(node.path, report)) return;
  const name = node.path.original;
  const alone = node.params.length === 0 && !node.hash;
  if (alone && node.type !== 'SubExpression') {
    settleName(node, blockParams, report);
    return;
  }
  const helper = isSimple(node.path) && !node.path.data ? VOCABULARY.get(name) : undefined;
  if (!helper || blockParams.includes(name)) {
    reportUnknown(node, name, report);
    return;
  }
  const {
    args: [min, max],
    signature,
  } = helper;
  if (node.params.length < min || node.params.length > max) {
    report('template_invalid.helper_arguments', node, { name, signature });
  } else if (helper.block === 'only' && form === 'value') {
    report('template_invalid.helper_only_block', node, { name, signature });
  } else if (helper.block === 'no' && form === 'block') {
    report('template_invalid.helper_no_block', node, { name, signature });
  }
}

const TESTS = new Set(['if', 'unless']);

/** `{{#if @partial-block}}` asks whether a partial was given content. Elsewhere the slot is not a value. */
function isSlot(param: ExpressionNode): boolean {
  return param.type === 'PathExpression' && param.original === '@partial-block';
}

/** Checks the values given to a helper or a partial. */
function checkArguments(
  call: { readonly params: readonly ExpressionNode[]; readonly hash?: HashNode | undefined },
  blockParams: readonly string[],
  report: Report,
): void {
  const values = call.hash?.pairs.map((pair) => pair.value) ?? [];
  for (const value of [...call.params, ...values]) {
    if (value.type === 'SubExpression') checkCall(value, 'value', blockParams, report);
    else if (value.type === 'PathExpression') isKnownPath(value, report);
  }
}

/** Only these hold JSON; behind other `@` names are the functions of the runtime. */
function isKnownPath(path: PathNode, report: Report): boolean {
  const [first = '', ...rest] = path.parts;
  if (!path.data) return true;
  if (first === 'brand' && !isBrandPath(rest)) {
    report('template_invalid.brand_name', path, { name: path.original, known: BRAND_NAMES.join(', ') });
    return false;
  }
  if (DATA_NAMES.has(first)) return true;
  report('template_invalid.data_name', path, { name: path.original });
  return false;
}

/** `{{currency}}` is the variable; `{{if}}` is a block without its argument. */
function settleName(node: CallNode, blockParams: readonly string[], report: Report): void {
  const { path } = node;
  const { original: name } = path;
  if (path.data || !isSimple(path) || blockParams.includes(name)) return;
  const helper = VOCABULARY.get(name);
  if (helper?.block === 'only') {
    report('template_invalid.helper_arguments', node, { name, signature: helper.signature });
  }
  if (helper || INTERNAL_NAMES.has(name)) path.original = `this.${name}`;
}

function reportUnknown(node: CallNode, name: string, report: Report): void {
  const suggestion = nearestHelper(name);
  if (suggestion) report('template_invalid.helper_mistyped', node, { name, suggestion });
  else report('template_invalid.helper_unknown', node, { name, known: [...VOCABULARY.keys()].join(', ') });
}
