import { Fault } from '../errors.ts';

/** Temporary conditions of the machine, which the caller can retry. */
export function machineFault(error: unknown): Fault | undefined {
  switch (error instanceof Error && 'code' in error && error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new Fault('unavailable.files_full', {}, { retryAfterSeconds: 60, cause: error });
    case 'EMFILE':
    case 'ENFILE':
      return new Fault('unavailable.files_busy', {}, { retryAfterSeconds: 5, cause: error });
    default:
      return undefined;
  }
}
