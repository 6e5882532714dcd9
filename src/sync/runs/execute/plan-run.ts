import { Fault } from '../../../errors.ts';
import type { SyncError } from '../../change.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Run } from '../run.ts';

/** The errors of a plan, with what a person has still to say. */
export function planErrors({ errors, undecided }: Plan): SyncError[] {
  if (undecided === 0) return [...errors];
  return [{ key: 'undecided', params: { count: undecided } }, ...errors];
}

/**
 * Whether a plan waits for a person: it exceeds a safety limit, or it is not known which side is right. Nobody is there to say
 * so of a run that began by itself: the rest of it goes on.
 */
export function isHeld({ safetyLimitsHit, undecided }: Plan, { request, trigger }: Run): boolean {
  if (request.confirmed) return false;
  return safetyLimitsHit.length > 0 || (undecided > 0 && (trigger === 'manual' || trigger === 'retry'));
}

/** What a store or a sheet did not do: an error of the run, never of the call. Undefined for any other error. */
export function outsideFault(error: unknown): Fault | undefined {
  return error instanceof Fault && /^(store|sheet)_/.test(error.code) ? error : undefined;
}

/** The side whose connection has to be made again; undefined: neither. */
export function lostSide({ code }: Fault): 'store' | 'sheet' | undefined {
  if (code === 'store_unauthorized') return 'store';
  return code === 'sheet_unauthorized' ? 'sheet' : undefined;
}
