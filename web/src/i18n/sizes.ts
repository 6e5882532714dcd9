import { number } from './dates.ts';

/** Bytes as people read them: 12 KB, 1.4 MB. */
export function sizeOf(bytes: number): string {
  const steps = [
    [1024 ** 3, 'GB'],
    [1024 ** 2, 'MB'],
    [1024, 'KB'],
  ] as const;
  const [step, unit] = steps.find(([least]) => bytes >= least) ?? [1024, 'KB'];
  const size = bytes / step;
  return `${number(size < 10 ? Math.round(size * 10) / 10 : Math.round(size))} ${unit}`;
}
