import { Fault } from '../../../errors.ts';

/** A fault of the store or the sheet: an error of the run, never of the call. Undefined for any other error. */
export function sideFault(error: unknown): Fault | undefined {
  return error instanceof Fault && /^(store|sheet)_/.test(error.code) ? error : undefined;
}

/** The side that has to be connected again; undefined: neither. */
export function disconnectedSide({ code }: Fault): 'store' | 'sheet' | undefined {
  if (code === 'store_unauthorized') return 'store';
  return code === 'sheet_unauthorized' || code === 'sheet_forbidden' ? 'sheet' : undefined;
}
