import { ConfigError } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import { localizeFault, plainReader } from '../../src/language.ts';
import { databaseFault } from '../../src/platform/database/database-fault.ts';

/** The command was called with the wrong words. */
export class UsageError extends Error {}

/** The command can't be done; the message says why. */
export class Refusal extends Error {}

/** Runs an operator's command: prints its result, or why there is none, and how it is called. */
export async function command(usage: string, run: () => Promise<string>): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  try {
    process.stdout.write(`${await run()}\n`);
  } catch (error) {
    process.stderr.write(`${explain(error, usage)}\n`);
    process.exitCode = 1;
  }
}

/** The message of a failed command for a person at a terminal. */
export function explain(error: unknown, usage: string): string {
  if (error instanceof UsageError || isArgumentError(error)) return `${error.message}\n\n${usage}`;
  return explainFailure(error);
}

/** The message of a failure for a person at a terminal. */
export function explainFailure(thrown: unknown): string {
  if (thrown instanceof Refusal) return thrown.message;
  if (thrown instanceof ConfigError) return `Invalid settings:\n${thrown.message}`;
  // Of other errors with a code, such as ECONNREFUSED, the database is not always the cause.
  const error = isPostgresError(thrown) ? (databaseFault(thrown) ?? thrown) : thrown;
  if (error instanceof Fault)
    return [localizeFault(error, plainReader('en')).detail, causeOf(error)].filter(Boolean).join('\n');
  if (isSystemError(error) && error.code === 'EADDRINUSE') {
    return `${error.message}. Another program uses this port. Stop it, or set another PORT or METRICS_PORT.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// REST and MCP never return a cause; the person at the terminal is the operator.
function causeOf({ cause }: Fault): string {
  return cause instanceof Error && cause.message ? `Cause: ${cause.message}` : '';
}

function isArgumentError(error: unknown): error is Error {
  return isSystemError(error) && error.code.startsWith('ERR_PARSE_ARGS');
}

function isPostgresError(error: unknown): boolean {
  return error instanceof Error && error.name === 'PostgresError';
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
