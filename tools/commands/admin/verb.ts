import { parseArgs } from 'node:util';
import type { App } from '../../../src/app.ts';
import type { Config } from '../../../src/config.ts';
import { UsageError } from '../command.ts';

/** One sub-command: `accounts show`. */
export type Verb = {
  readonly words: string;
  /** What follows the words, as the help shows it: `ACCOUNT [--app hooks]`. */
  readonly takes?: string;
  readonly does: string;
  /** Options with a value; `json` is one of every verb, without a value. */
  readonly options?: readonly string[];
  /** How many arguments, exactly. */
  readonly operands?: number;
  run(given: Given): Promise<unknown>;
};

export type Given = {
  readonly app: App;
  readonly config: Config;
  /** The arguments, in order. */
  operand(index: number): string;
  option(name: string): string | undefined;
  /** At most how many rows; `--limit`. */
  readonly limit: number;
};

const MOST_ROWS = 1_000;
const USUAL_ROWS = 50;

/** Reads what follows the words of a verb. @throws UsageError */
export function readGiven(
  { words, takes = '', options = [], operands = 0 }: Verb,
  rest: readonly string[],
): Pick<Given, 'operand' | 'option' | 'limit'> {
  const parsed = parseArgs({
    args: [...rest],
    allowPositionals: true,
    options: {
      ...Object.fromEntries([...options, 'limit'].map((name) => [name, { type: 'string' as const }])),
      json: { type: 'boolean' as const },
    },
  });
  if (parsed.positionals.length !== operands)
    throw new UsageError(`Write: admin ${words} ${takes}`.trimEnd());
  const values: Readonly<Record<string, unknown>> = parsed.values;
  const option = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  return { operand: (index) => parsed.positionals[index] ?? '', option, limit: readLimit(option('limit')) };
}

function readLimit(text: string | undefined): number {
  const limit = text === undefined ? USUAL_ROWS : Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ROWS)
    throw new UsageError(`--limit must be a whole number from 1 to ${MOST_ROWS}.`);
  return limit;
}

/** One of the words that are allowed. @throws UsageError */
export function oneOf<const Word extends string>(name: string, words: readonly Word[], text: string): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new UsageError(`${name} must be one of: ${words.join(', ')}.`);
  return found;
}
