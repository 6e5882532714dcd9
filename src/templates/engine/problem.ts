import { Fault, type FaultKey, type FaultParams } from '../../errors.ts';
import type { Location } from './language/ast.ts';
import { FIELDS } from './source.ts';

const FIELD_ORDER: readonly string[] = [...FIELDS, 'css', 'schema'];

/** One thing wrong with a source, in a form that can cross a thread. Lines and columns count from 1. */
export type Problem = {
  readonly key: FaultKey;
  readonly params: FaultParams;
  readonly loc: readonly (string | number)[];
  readonly line?: number;
  readonly col?: number;
};

/** The more telling parameters of a sentence about one place in one field. */
export function problemAt(
  key: FaultKey,
  field: string,
  place: { readonly loc?: Location | undefined },
  params: FaultParams = {},
): Problem {
  const line = place.loc?.start.line ?? 1;
  const col = (place.loc?.start.column ?? 0) + 1;
  return { key, params: { field, line, col, ...params }, loc: ['body', field], line, col };
}

/** A fault that lists all problems in the order of the source and says the first, or the first that keeps it from parsing. */
export function faultOf(problems: readonly [Problem, ...Problem[]]): Fault {
  const [first] = problems;
  const said = problems.find(({ key }) => !key.startsWith('unsafe_context.')) ?? first;
  return new Fault(said.key, said.params, { errors: problems.toSorted(byPlace) });
}

function byPlace(a: Problem, b: Problem): number {
  const order = FIELD_ORDER.indexOf(fieldOf(a)) - FIELD_ORDER.indexOf(fieldOf(b));
  return order || (a.line ?? 0) - (b.line ?? 0) || (a.col ?? 0) - (b.col ?? 0);
}

function fieldOf({ loc }: Problem): string {
  return String(loc[1]);
}
