import { ConfigError } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import { localizeFault, plainReader } from '../../src/language.ts';

/** The command was called with the wrong words. */
export class UsageError extends Error {}

/** The command cannot do it, and says why in a sentence. */
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

/** What a person at a terminal is told of a failed command. */
export function explain(error: unknown, usage: string): string {
  if (error instanceof UsageError || isArgumentError(error)) return `${error.message}\n\n${usage}`;
  return explainFailure(error);
}

/** What a person at a terminal is told of a failure. */
export function explainFailure(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof ConfigError) return `Invalid settings:\n${error.message}`;
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

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
