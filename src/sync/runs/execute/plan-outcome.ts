import type { SyncError } from '../../change.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Run } from '../run.ts';

/** How long a plan can be confirmed. */
const PLAN_TTL_MS = 30 * 60_000;

/** Until when a plan made now can be confirmed. A run stores this, and when its plan was made is derived from it. */
export function planExpiry(now: Date): Date {
  return new Date(now.getTime() + PLAN_TTL_MS);
}

/** The age in milliseconds of the oldest value a plan was made of: large catalogs take long to read. */
export function planAgeMs(run: Pick<Run, 'expires_at' | 'started_at'>, now: Date): number {
  const { expires_at: expiry, started_at: start } = run;
  if (!expiry) return 0;
  const planned = expiry.getTime() - PLAN_TTL_MS;
  return now.getTime() - Math.min(planned, start?.getTime() ?? planned);
}

/** The errors of a plan, with the rows that a person has to decide. */
export function planErrors({ errors, undecided }: Plan): SyncError[] {
  if (undecided === 0) return [...errors];
  return [{ key: 'undecided', params: { count: undecided } }, ...errors];
}

/**
 * Whether a plan waits for a person: it exceeds a safety limit, or it is unknown which side is right. An automatic run skips
 * the undecided rows instead, since no one would answer.
 */
export function needsConfirmation({ safetyLimitsHit, undecided }: Plan, { request, trigger }: Run): boolean {
  if (request.confirmed) return false;
  return safetyLimitsHit.length > 0 || (undecided > 0 && (trigger === 'manual' || trigger === 'retry'));
}
