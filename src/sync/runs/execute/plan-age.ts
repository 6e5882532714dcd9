import type { Run } from '../run.ts';

/** How long a plan may be confirmed. */
const PLAN_MS = 30 * 60_000;

/** Until when a plan made now may be confirmed: what a run keeps of when its plan was made. */
export function planExpiry(now: Date): Date {
  return new Date(now.getTime() + PLAN_MS);
}

/** How old what a plan was made of may be, in milliseconds: reading takes long where there is much. */
export function planAgeMs(run: Pick<Run, 'expires_at' | 'started_at'>, now: Date): number {
  const { expires_at: expires, started_at: begun } = run;
  if (!expires) return 0;
  const made = expires.getTime() - PLAN_MS;
  return now.getTime() - Math.min(made, begun?.getTime() ?? made);
}
