import type { CliConfig } from '../src/config.ts';
import type { Logins } from './login.ts';
import type { Operations } from './operations.ts';
import type { Terminal } from './terminal.ts';

/** What every command has. */
export type Program = {
  readonly operations: Operations;
  readonly config: CliConfig;
  readonly logins: Logins;
  readonly terminal: Terminal;
};
