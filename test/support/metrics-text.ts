/** The series of a text in the format of Prometheus: `name{label="value"}` → value. @throws Error on a line that is none */
export function readMetrics(text: string): Map<string, number> {
  const series = new Map<string, number>();
  for (const line of text.split('\n').filter((one) => one !== '' && !/^# (HELP|TYPE) [a-z_]+ \S/.test(one))) {
    const [, name, value] =
      /^([a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+\})?) ([\d.e+-]+)$/.exec(line) ?? [];
    if (name === undefined || series.has(name)) throw new Error(`not a line of metrics: ${line}`);
    series.set(name, Number(value));
  }
  return series;
}

/** By how much the counters moved, without those that did not. Sums of seconds are left out. */
export function movedCounters(before: string, after: string): Record<string, number> {
  const [old, now] = [before, after].map(readMetrics);
  const moved = [...(now ?? [])]
    .filter(([name]) => /^[a-z_]+_(total|count)\b/.test(name))
    .map(([name, value]) => [name, value - (old?.get(name) ?? 0)] as const);
  return Object.fromEntries(moved.filter(([, by]) => by !== 0));
}
