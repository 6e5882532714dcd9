import { Fault } from '../../errors.ts';
import type { SyncLimits, SyncPlan } from '../../plans.ts';

/** When a configuration runs by itself. */
export type Pace = {
  readonly enabled: boolean;
  readonly every_minutes: number | null;
  readonly realtime: boolean;
};

/**
 * What goes by news alone is looked at all the same: once a day while its store tells of changes and they were made
 * good, since news may get lost, and often otherwise, since not every store can tell and not every run goes well.
 */
export const NEWS_PACE = { heardMinutes: 1_440, silentMinutes: 15 } as const;

const MINUTE_MS = 60_000;

/** @throws Fault plan_required.auto_sync, plan_limit.schedule */
export function demandPace(pace: Pace, { plan, autoSyncMinutes }: SyncLimits & { plan: SyncPlan }): void {
  const { every_minutes: every, realtime } = pace;
  if (every === null && !realtime) return;
  if (autoSyncMinutes === null) throw new Fault('plan_required.auto_sync');
  if (every !== null && every < autoSyncMinutes)
    throw new Fault('plan_limit.schedule', { plan, minutes: autoSyncMinutes });
}

/** When it is due next if it was just looked at; null: never by itself. */
export function nextAt({ enabled, every_minutes: every, realtime }: Pace, now: number): Date | null {
  if (!enabled || (every === null && !realtime)) return null;
  return minutesAfter(now, every ?? NEWS_PACE.silentMinutes);
}

export function minutesAfter(now: number, minutes: number): Date {
  return new Date(now + minutes * MINUTE_MS);
}
