import type { FaultKey, FaultParams } from '../../errors.ts';
import {
  type CallNode,
  type ExpressionNode,
  type HashNode,
  isSimple,
  type Location,
  type PathNode,
} from './ast.ts';
import { asPath } from './parse.ts';
import { nearestHelper } from './vocabulary/nearest-helper.ts';
import { INTERNAL, VOCABULARY } from './vocabulary/vocabulary.ts';

export type Report = (
  key: FaultKey,
  node: { readonly loc?: Location | undefined },
  params?: FaultParams,
) => void;

const INTERNAL_NAMES = new Set<string>(Object.values(INTERNAL));
const DATA_NAMES = new Set(['root', 'index', 'key', 'first', 'last', 'locale', 'subject', 'preheader']);

/**
 * Checks a mustache, block or bracketed expression against the vocabulary, and settles in the tree what a name alone means.
 */
export function checkCall(
  node: CallNode,
  form: 'value' | 'block',
  blockParams: readonly string[],
  report: Report,
): void {
  node.path = asPath(node.path);
  checkArguments(node, blockParams, report);
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
  const { min, max, signature } = helper;
  if (node.params.length < min || node.params.length > max) {
    report('template_invalid.helper_arguments', node, { name, signature });
  } else if (helper.block === 'only' && form === 'value') {
    report('template_invalid.helper_only_block', node, { name, signature });
  } else if (helper.block === 'no' && form === 'block') {
    report('template_invalid.helper_no_block', node, { name, signature });
  }
}

/** Checks the values given to a helper or a partial. */
export function checkArguments(
  call: { readonly params: ExpressionNode[]; readonly hash?: HashNode | undefined },
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
  if (!path.data || DATA_NAMES.has(path.parts[0] ?? '')) return true;
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
