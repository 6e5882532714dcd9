import type { Price } from './objects.ts';

type Recurring = NonNullable<Price['recurring']>;

/** The end of the period that begins at `start`, in seconds, counted in whole intervals from the anchor as Stripe does. */
export function periodEnd(anchor: number, start: number, recurring: Recurring): number {
  for (let count = 1; ; count += 1) {
    const end = added(anchor, recurring.interval, count * recurring.interval_count);
    if (end > start) return end;
  }
}

function added(anchor: number, interval: Recurring['interval'], count: number): number {
  if (interval === 'day') return anchor + count * 86_400;
  if (interval === 'week') return anchor + count * 7 * 86_400;
  const months = interval === 'year' ? 12 * count : count;
  const from = new Date(anchor * 1000);
  const day = from.getUTCDate();
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(from.getUTCMonth() + months);
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(day, last));
  return to.getTime() / 1000;
}
