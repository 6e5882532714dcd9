import { Fault } from '../../../src/errors.ts';

/** An address with a name that nothing can have leads nowhere either. */
export function leadsNowhere(error: unknown): boolean {
  return error instanceof Fault && (error.code === 'not_found' || error.code === 'validation_failed');
}
