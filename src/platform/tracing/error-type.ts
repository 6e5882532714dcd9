import { Fault } from '../../errors.ts';

/** The code of a fault, or the name of an error's class: a message may quote what no span may have. */
export function errorType(error: unknown): string {
  if (error instanceof Fault) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
