import type { App } from '../../../src/app.ts';
import type { Config } from '../../../src/config.ts';
import type { Database } from '../../../src/platform/database/database.ts';

/** Where a command runs: in the process that has the database open, or in its own. */
export type Place = {
  /** Of the process in which it runs. */
  readonly config: Config;
  /** The product, with its schema up to date. */
  app(): Promise<App>;
  /** The database alone, as it is. */
  database(): Promise<Database>;
};

/** A command of the operator that works with the database. */
export type OperatorCommand = {
  readonly usage: string;
  /** The help of some of its words; without it, `usage`. */
  help?(words: readonly string[]): string;
  /** Resolves with what is printed. @throws UsageError, Refusal, Fault */
  run(words: readonly string[], place: Place): Promise<string>;
};
