import type { Load } from './load.ts';

/** One contestant under load once. `processor` is milliseconds of processor time per reply, over all cores. */
export type Measurement = {
  readonly connections: number;
  readonly round: number;
  readonly name: string;
  readonly load: Load;
  readonly processor?: number;
};

export type Row = {
  readonly name: string;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly processor_ms: number;
  readonly kilobytes: number;
  readonly errors: number;
};

export type Ratio = {
  readonly of: string;
  readonly to: string;
  readonly median: number;
  readonly rounds: readonly number[];
};

/** A contestant a row: medians over the rounds, and all errors. */
export function rowsOf(measurements: readonly Measurement[]): Row[] {
  const groups = Map.groupBy(measurements, ({ name }) => name);
  return [...groups].map(([name, group]) => ({
    name,
    per_second: median(group.map(perSecond)),
    p50_ms: median(group.map(({ load }) => load.p50)),
    p99_ms: median(group.map(({ load }) => load.p99)),
    processor_ms: median(group.map(({ processor }) => processor ?? Number.NaN)),
    kilobytes: median(group.map(({ load }) => load.bytes / load.replies / 1000)),
    errors: group.reduce((sum, { load }) => sum + load.errors, 0),
  }));
}

/** Replies a second of one contestant over those of another, within each round, since the machine is not alike in all of them. */
export function ratioOf(measurements: readonly Measurement[], of: string, to: string): Ratio {
  const rounds = Map.groupBy(measurements, ({ round }) => round);
  const ratios = [...rounds.values()].flatMap((round) => {
    const [above, below] = [of, to].map((name) => round.find((one) => one.name === name));
    return above && below ? [perSecond(above) / perSecond(below)] : [];
  });
  return { of, to, median: median(ratios), rounds: ratios };
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.name,
    row.per_second.toFixed(row.per_second < 1000 ? 1 : 0),
    row.p50_ms.toFixed(2),
    row.p99_ms.toFixed(2),
    Number.isNaN(row.processor_ms) ? '-' : row.processor_ms.toFixed(2),
    row.kilobytes.toFixed(1),
    String(row.errors),
  ]);
  return align([['', 'req/s', 'p50 ms', 'p99 ms', 'cpu ms', 'kB', 'errors'], ...cells]);
}

export function sentence({ of, to, median: middle, rounds }: Ratio): string {
  const range = `${Math.min(...rounds).toFixed(2)} to ${Math.max(...rounds).toFixed(2)}`;
  return `${of} / ${to}: ${middle.toFixed(2)} (${range} over ${rounds.length} rounds)`;
}

function perSecond({ load }: Measurement): number {
  return load.replies / load.seconds;
}

/** The value that `percent` of all are at most. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

export function align(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join('  ')).join('\n');
}
