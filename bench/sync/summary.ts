import { align, median } from '../results.ts';
import type { Figures } from './one-round.ts';

const STANDARD = { bucket: 2000, perSecond: 100 };

/** A row for each size and step: medians over the rounds; a count that was not the same in all of them is a range. */
export function summaryTable(figures: readonly Figures[]): string {
  const head = [
    'variants',
    'step',
    'changed',
    'store calls',
    'polls',
    'points',
    'quota s',
    'sheet reads',
    'writes',
  ];
  const groups = Map.groupBy(figures, ({ variants, name }) => `${variants} ${name}`);
  const rows = [...groups.values()].map((group) => [
    String(group[0]?.variants),
    group[0]?.name ?? '',
    count(group, 'changed'),
    count(group, 'store_calls'),
    count(group, 'polls'),
    count(group, 'points'),
    quotaSeconds(median(group.map(({ points }) => points))).toFixed(0),
    count(group, 'sheet_reads'),
    count(group, 'sheet_writes'),
    middle(group, 'wall_s').toFixed(2),
    middle(group, 'waited_s').toFixed(2),
    middle(group, 'cpu_s').toFixed(2),
    middle(group, 'ready_mib').toFixed(0),
    middle(group, 'peak_mib').toFixed(0),
  ]);
  return align([[...head, 'wall s', 'waited s', 'cpu s', 'MiB before', 'peak MiB'], ...rows]);
}

/** Whether each bar is met: what was measured beside what is allowed. */
export function bars(figures: readonly Figures[]): string[] {
  const of = (variants: number, name: string) =>
    figures.filter((one) => one.variants === variants && one.name === name);
  const checks: readonly [group: Figures[], figure: keyof Figures, most: number, worst: boolean][] = [
    [of(10_000, 'unchanged'), 'store_calls', 3, true],
    [of(10_000, 'unchanged'), 'sheet_reads', 1, true],
    [of(10_000, 'unchanged'), 'sheet_writes', 0, true],
    [of(10_000, '1 % changed in the store'), 'sheet_writes', 1, true],
    // Three to read, and one to write.
    [of(10_000, '1 % changed in the sheet'), 'store_calls', 4, true],
    [of(100_000, '1 % changed on each side'), 'peak_mib', 160, false],
    [of(100_000, '1 % changed on each side'), 'cpu_s', 3, false],
    [of(100_000, 'two-way, unchanged'), 'peak_mib', 160, false],
    [of(100_000, 'two-way, unchanged'), 'cpu_s', 3, false],
    [of(100_000, '1 % on each side, heap of 64 MiB'), 'peak_mib', 160, false],
    [of(100_000, '1 % on each side, heap of 64 MiB'), 'cpu_s', 3, false],
  ];
  return checks.flatMap(([group, figure, most, worst]) => {
    const values = group.map((one) => Number(one[figure]));
    if (values.length === 0) return [];
    const found = worst ? Math.max(...values) : median(values);
    const name = `${group[0]?.variants}, ${group[0]?.name}: ${figure}`;
    return [`${found <= most ? 'met   ' : 'MISSED'} ${name} ${round(found)}, at most ${most}`];
  });
}

/** How long the store would make one wait for so many points on its smallest plan, at the least. */
function quotaSeconds(points: number): number {
  return Math.max(0, (points - STANDARD.bucket) / STANDARD.perSecond);
}

function count(group: readonly Figures[], figure: keyof Figures): string {
  const values = group.map((one) => Number(one[figure]));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? String(least) : `${least} to ${most}`;
}

function middle(group: readonly Figures[], figure: keyof Figures): number {
  return median(group.map((one) => Number(one[figure])));
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
