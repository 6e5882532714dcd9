import { agoFormat, dateFormat, numberFormat } from './formats.ts';
import { language } from './language.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Today's times as 14:05, this year's days as 9 Nov, older ones with their year. */
export function shortDate(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const form = (options: Intl.DateTimeFormatOptions) => dateFormat(options).format(date);
  if (date.toDateString() === now.toDateString())
    return form({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const };
  return form({ day: 'numeric', month: 'short', ...year });
}

/** How long ago, such as 12 minutes ago; a date once it is more than a week. */
export function ago(iso: string, now = new Date()): string {
  const seconds = Math.round((new Date(iso).getTime() - now.getTime()) / 1000);
  if (Math.abs(seconds) * 1000 > 7 * DAY_MS) return shortDate(iso, now);
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return agoFormat({ numeric: 'auto', style: 'short' }).format(Math.round(seconds / size), unit);
}

/** English as it is written with the day before the month. */
const dayFirst = () => (language() === 'en' ? 'en-GB' : language());

/** Such as Monday, 23 November. */
export function longDay(now = new Date()): string {
  const day = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' }, dayFirst()).format(now);
  return day.charAt(0).toUpperCase() + day.slice(1);
}

export function number(value: number): string {
  return numberFormat().format(value);
}

/** Such as 1 December; of a month that begins in UTC, so in UTC. */
export function dayName(iso: string): string {
  return dateFormat({ day: 'numeric', month: 'long', timeZone: 'UTC' }, dayFirst()).format(new Date(iso));
}

/** 2026-11 as November 2026. */
export function monthName(month: string): string {
  const name = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Such as 1 Nov 2026. */
export function fullDate(iso: string): string {
  return dateFormat({ day: 'numeric', month: 'short', year: 'numeric' }, dayFirst()).format(new Date(iso));
}
