import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureRound, type Round } from './embedded/one-round.ts';
import { PROBES, type Probed } from './embedded/probes.ts';
import { loadAverage, machineFacts } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';

const USAGE = `Measures what other callers of the embedded database feel of a sync, and the memory of a start.
See bench/README.md. Linux only.

  npm run bench:embedded -- [--variants 10000,50000] [--rounds 3] [--json FILE] [--profiles FOLDER]`;

/** Of the p95 of the idle server. */
const MOST_RATIO = 2;
const MOST_FIRST_MIB = 400;
const MOST_LATER_MIB = 350;

await runBench((signal) => measure(readOptions(), signal));

function readOptions() {
  const { values } = parseArgs({
    options: {
      variants: { type: 'string', default: '10000,50000' },
      rounds: { type: 'string', default: '3' },
      json: { type: 'string' },
      profiles: { type: 'string' },
    },
  });
  const sizes = values.variants.split(',').map(Number);
  const rounds = Number(values.rounds);
  const whole = [...sizes, rounds].every((n) => Number.isInteger(n) && n > 0);
  if (!whole) throw new Error(`Variants and rounds are whole numbers from 1.\n\n${USAGE}`);
  return { sizes, rounds, json: values.json, profiles: values.profiles };
}

async function measure(
  { sizes, rounds, json, profiles }: ReturnType<typeof readOptions>,
  signal: AbortSignal,
) {
  using cleanUp = new DisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const facts = { ...machineFacts(), load_average_before: loadAverage() };
  for (const [name, fact] of Object.entries(facts)) console.log(`${name}: ${JSON.stringify(fact)}`);
  const nodeOptions = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];

  const figures: { variants: number; rounds: Round[] }[] = [];
  for (const variants of sizes) {
    const measured: Round[] = [];
    for (let nth = 1; nth <= rounds; nth++) {
      measured.push(await measureRound({ variants, folder, nodeOptions, signal }));
      console.log(`${variants} variants, round ${nth} of ${rounds}, load average ${loadAverage()}`);
    }
    figures.push({ variants, rounds: measured });
    console.log(`\n${summary(variants, measured)}\n`);
  }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ facts, figures }, null, 2)}\n`);
}

/** Medians over the rounds; of ratios too, each within its round, and the worst round of what may not be exceeded. */
function summary(variants: number, rounds: readonly Round[]): string {
  const middle = (value: (round: Round) => number) => median(rounds.map(value));
  const latency = (when: 'idle' | 'during', name: keyof Probed, figure: 'p50' | 'p95' | 'max') =>
    middle((round) => round[when][name][figure]).toFixed(1);
  const rows = PROBES.map((name) => {
    const ratios = rounds.map((round) => round.during[name].p95 / round.idle[name].p95);
    const refused = rounds.reduce((sum, { during }) => sum + during[name].refused, 0);
    const figures = (['p50', 'p95', 'max'] as const).flatMap((figure) =>
      (['idle', 'during'] as const).map((when) => latency(when, name, figure)),
    );
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    return [
      name,
      ...figures,
      median(ratios).toFixed(2),
      range,
      String(refused),
      verdict(median(ratios), MOST_RATIO),
    ];
  });
  const head = ['ms', 'p50 idle', 'during', 'p95 idle', 'during', 'max idle', 'during', 'p95 ratio', 'range'];
  const [first, later] = [middle((one) => one.firstStart), middle((one) => one.laterStart)];
  return [
    align([[...head, 'refused', `bar ${MOST_RATIO}`], ...rows]),
    `${variants} variants in ${middle(({ seconds }) => seconds).toFixed(1)} s`,
    `event loop late by at most ${middle((one) => one.longestIdle).toFixed(0)} ms idle, ${middle((one) => one.longestDuring).toFixed(0)} ms during`,
    `peak MiB: first start ${first.toFixed(0)} (${verdict(first, MOST_FIRST_MIB)}), later start ${later.toFixed(0)} (${verdict(later, MOST_LATER_MIB)}), after the sync ${middle((one) => one.afterSync).toFixed(0)}`,
  ].join('\n');
}

/** A bench that misses a bar fails. */
function verdict(value: number, most: number): string {
  if (value <= most) return 'met';
  process.exitCode = 1;
  return 'MISSED';
}
