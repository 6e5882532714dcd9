import type { Question } from '../contract/require-confirmed.ts';

type Automatic = {
  readonly direction: string;
  readonly schedule?: object | null | undefined;
  readonly realtime?: boolean | undefined;
  readonly enabled?: boolean | undefined;
};

/** Asks before a configuration writes to the store automatically: its runs ask no one unless they exceed a limit. */
export function automaticQuestion({
  direction,
  schedule,
  realtime,
  enabled,
}: Automatic): Question | undefined {
  const isAutomatic = enabled !== false && (Boolean(schedule) || realtime === true);
  return isAutomatic && direction !== 'store_to_sheet' ? { key: 'automatic_sync' } : undefined;
}
