import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { run } from './children.ts';
import { loadAverage } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';

const USAGE = `Runs a bench of this checkout and of another one in turn, each with its own code, and prints this one over that one.

  npm run bench:beside -- --before CHECKOUT [--rounds 3] [--names stallhand] SCRIPT [arguments of the bench]
  npm run bench:beside -- --before ../before bench/sync.ts --sizes 1000

SCRIPT is bench/render.ts, bench/sync.ts or bench/video.ts. --names keeps the figures whose name begins so.`;

/** One figure of one run: which it is, and what was measured. */
type Figures = ReadonlyMap<string, number>;

const Results = z
  .object({ measurements: z.array(z.unknown()).optional(), figures: z.array(z.unknown()).optional() })
  .transform(({ measurements, figures }) => measurements ?? figures ?? []);
const Entry = z.looseObject({ name: z.string(), load: z.record(z.string(), z.unknown()).optional() });

/** What tells two entries of one run apart. */
const KEYS = new Set(['connections', 'variants', 'composition', 'round', 'name']);

await runBench(async (signal) => {
  const { before, rounds, names, script, args } = readOptions();
  const { DATABASE_URL } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-beside-'));
  using cleanUp = new DisposableStack();
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const measure = async (root: string): Promise<Figures> => {
    const json = join(folder, 'figures.json');
    const command = [join(root, script), '--rounds', '1', '--json', json, ...args];
    await run(process.execPath, command, DATABASE_URL ? { DATABASE_URL } : {}, signal);
    return figuresOf(JSON.parse(readFileSync(json, 'utf8')), names);
  };

  const all: (readonly [Figures, Figures])[] = [];
  const here = resolve(import.meta.dirname, '..');
  for (let round = 1; round <= rounds; round++) {
    // Neither is always the second, on a machine that the first has warmed.
    if (round % 2 === 0) {
      const old = await measure(before);
      all.push([await measure(here), old]);
    } else all.push([await measure(here), await measure(before)]);
    console.log(`round ${round} of ${rounds}, load average ${loadAverage()}`);
  }
  console.log(`\n${tableOf(all)}`);
});

function readOptions() {
  const { values, positionals, tokens } = parseArgs({
    options: {
      before: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      names: { type: 'string', default: '' },
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const [script] = positionals;
  const rounds = Number(values.rounds);
  if (typeof values.before !== 'string' || script === undefined || !(rounds > 0)) throw new Error(USAGE);
  const at = tokens.find((token) => token.kind === 'positional')?.index ?? 0;
  const args = process.argv.slice(2).slice(at + 1);
  return { before: resolve(values.before), rounds, names: String(values.names), script, args };
}

/** `name · composition · figure` to its value, for every entry with such a name. */
function figuresOf(results: unknown, names: string): Figures {
  const entries = Results.parse(results).map((entry) => Entry.parse(entry));
  return new Map(
    entries
      .filter(({ name }) => name.startsWith(names))
      .flatMap(({ load, ...entry }) => {
        const key = [...KEYS]
          .filter((one) => one !== 'round' && one in entry)
          .map((one) => String(entry[one]));
        return Object.entries({ ...load, ...entry }).flatMap(([figure, value]) =>
          typeof value === 'number' && !KEYS.has(figure)
            ? [[[...key, figure].join(' · '), value] as const]
            : [],
        );
      }),
  );
}

/** Medians of both, and the median of the ratios within each round, since the machine is not alike in all of them. */
function tableOf(all: readonly (readonly [Figures, Figures])[]): string {
  const [first] = all;
  const keys = first ? [...first[0].keys()].filter((key) => first[1].has(key)) : [];
  const rows = keys.map((key) => {
    const pairs = all.map(
      ([here, before]) => [here.get(key) ?? Number.NaN, before.get(key) ?? Number.NaN] as const,
    );
    const ratios = pairs.map(([here, before]) => (here === before ? 1 : here / before));
    return [
      key,
      median(pairs.map(([here]) => here)).toPrecision(4),
      median(pairs.map(([, before]) => before)).toPrecision(4),
      median(ratios).toFixed(2),
      `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
    ];
  });
  return align([['', 'here', 'before', 'ratio', 'of the rounds'], ...rows]);
}
