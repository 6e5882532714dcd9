import type { text } from '../../i18n/text.ts';

/** Such as every 15 minutes, every 6 hours. */
export function everyText(minutes: number, t: typeof text): string {
  if (minutes % 1_440 === 0) return t('mapping.everyDays', { count: minutes / 1_440 });
  if (minutes % 60 === 0) return t('mapping.everyHours', { count: minutes / 60 });
  return t('mapping.everyMinutes', { count: minutes });
}
