import { Fault } from '../../errors.ts';
import type { SyncLimits, SyncPlan } from '../../plans.ts';

/** When a configuration runs automatically. */
export type Schedule = {
  readonly enabled: boolean;
  readonly every_minutes: number | null;
  readonly realtime: boolean;
};

/**
 * A realtime configuration without a schedule also reads all once a day while its webhooks arrive and their runs succeed,
 * since webhooks may get lost; else more often, since not every store can send them.
 */
export const REALTIME_SCHEDULE = { receivedMinutes: 1_440, silentMinutes: 15 } as const;

const MINUTE_MS = 60_000;

/** @throws Fault plan_required.auto_sync, plan_limit.schedule */
export function requireSchedule(
  { every_minutes: every, realtime }: Schedule,
  { plan, autoSyncMinutes }: SyncLimits & { plan: SyncPlan },
): void {
  if (every === null && !realtime) return;
  if (autoSyncMinutes === null) throw new Fault('plan_required.auto_sync');
  if (every !== null && every < autoSyncMinutes)
    throw new Fault('plan_limit.schedule', { plan, minutes: autoSyncMinutes });
}

/** When it is due next after a run now; null: never. */
export function nextAt({ enabled, every_minutes: every, realtime }: Schedule, now: number): Date | null {
  if (!enabled || (every === null && !realtime)) return null;
  return minutesAfter(now, every ?? REALTIME_SCHEDULE.silentMinutes);
}

export function minutesAfter(now: number, minutes: number): Date {
  return new Date(now + minutes * MINUTE_MS);
}
