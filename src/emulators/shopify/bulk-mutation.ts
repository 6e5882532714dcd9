import { Kind } from 'graphql';
import type { Engine, Prepared } from './engine.ts';

type Json = Readonly<Record<string, unknown>>;

/** What no bulk operation runs. */
const NEVER = [
  'bulkOperationCancel',
  'bulkOperationRunMutation',
  'bulkOperationRunQuery',
  'stagedUploadsCreate',
];

/** Results are not in the order of the file: lines are told apart by their numbers. So many change places here. */
const SHUFFLED = 10;

/** What a bulk operation will not have of a mutation that is otherwise valid. */
export function bulkMutationComplaint({ operation }: Prepared): string | undefined {
  if (operation?.operation !== 'mutation') return 'The bulk operation needs one mutation.';
  const { selections } = operation.selectionSet;
  const [first] = selections;
  if (selections.length !== 1 || first?.kind !== Kind.FIELD) {
    return 'Bulk mutations must contain one mutation field.';
  }
  return NEVER.includes(first.name.value) ? `${first.name.value} cannot be run in bulk.` : undefined;
}

/** The variables of each line; undefined where a line is none. */
export function readVariables(file: string): readonly Json[] | undefined {
  const lines = file.split('\n').filter((line) => line.trim() !== '');
  try {
    const variables: unknown[] = lines.map((line) => JSON.parse(line));
    return variables.length > 0 && variables.every(isObject) ? variables : undefined;
  } catch {
    return undefined;
  }
}

/** Runs the mutation with each of these; answers the lines of the result. */
export function runLines(
  engine: Engine,
  prepared: Prepared,
  version: string,
  variables: readonly Json[],
  firstLine: number,
): readonly string[] {
  return variables.map((given, index) => {
    const { data, errors } = engine.run(prepared, given, { version });
    return JSON.stringify({ data, ...(errors && { errors }), __lineNumber: firstLine + index });
  });
}

export function shuffled(lines: readonly string[]): readonly string[] {
  const blocks = Array.from({ length: Math.ceil(lines.length / SHUFFLED) }, (_, index) =>
    lines.slice(index * SHUFFLED, (index + 1) * SHUFFLED).reverse(),
  );
  return blocks.flat();
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
