/**
 * The metrics of one process, in the text format of Prometheus (version 0.0.4).
 * In: values that are counted, timed, or read on request. Out: the text.
 * Invariant: a label has a value from a short list that the product knows, never one that a caller chooses.
 */
type Labels = Readonly<Record<string, string>>;

export type Sample = { readonly labels?: Labels; readonly value: number };

type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Lines without the head. */
  readonly lines: () => readonly string[];
};

export function createMeter() {
  const metrics: Metric[] = [];

  return {
    /** @returns a function that adds one to the series with these labels */
    counter<Name extends string>(name: string, help: string) {
      const series = new Map<string, { labels: Labels; count: number }>();
      const lines = () =>
        [...series.values()].map(({ labels, count }) => `${name}${labelText(labels)} ${count}`);
      metrics.push({ name, help, type: 'counter', lines });
      return (labels: Readonly<Record<Name, string>>): void => {
        const key = keyOf(labels);
        const one = series.get(key);
        if (one) one.count++;
        else series.set(key, { labels, count: 1 });
      };
    },

    /** `bounds`: upper bounds of its buckets in seconds, rising. @returns a function that takes a duration in seconds */
    histogram<Name extends string>(name: string, help: string, bounds: readonly number[]) {
      const series = new Map<string, { labels: Labels; counts: number[]; sum: number }>();
      const lines = () => [...series.values()].flatMap((one) => bucketLines(name, bounds, one));
      metrics.push({ name, help, type: 'histogram', lines });
      return (labels: Readonly<Record<Name, string>>, seconds: number): void => {
        const key = keyOf(labels);
        const one = series.get(key) ?? { labels, counts: Array<number>(bounds.length + 1).fill(0), sum: 0 };
        series.set(key, one);
        const bucket = bounds.findIndex((bound) => seconds <= bound);
        const at = bucket === -1 ? bounds.length : bucket;
        one.counts[at] = (one.counts[at] ?? 0) + 1;
        one.sum += seconds;
      };
    },

    /** A value that is read for each text. */
    gauge(name: string, help: string, read: () => readonly Sample[]): void {
      const lines = () => read().map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`);
      metrics.push({ name, help, type: 'gauge', lines });
    },

    /** Names of all metrics, whether they have been counted yet or not. */
    names: (): readonly string[] => metrics.map(({ name }) => name),

    text: (): string =>
      metrics
        .map(({ name, help, type, lines }) =>
          [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines(), ''].join('\n'),
        )
        .join(''),
  };
}

function bucketLines(
  name: string,
  bounds: readonly number[],
  { labels, counts, sum }: { labels: Labels; counts: readonly number[]; sum: number },
): string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return `${name}_bucket${labelText({ ...labels, le: String(bounds[index] ?? '+Inf') })} ${total}`;
  });
  return [...buckets, `${name}_sum${labelText(labels)} ${sum}`, `${name}_count${labelText(labels)} ${total}`];
}

/** What tells two series of one metric apart: their values, since all name the same labels in the same order. */
function keyOf(labels: Labels): string {
  return Object.values(labels).join('\n');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
