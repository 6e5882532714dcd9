import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createChildren } from './children.ts';
import { type AloneFigures, runAlone } from './hooks/alone.ts';
import { startGenerator, startPassThrough } from './hooks/contestants.ts';
import { createDatabaseMeter } from './hooks/database-meter.ts';
import type { Target } from './hooks/requests.ts';
import { runSteadily, type SteadyFigures } from './hooks/steady-load.ts';
import { loadAverage, machineFacts } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';
import { createScratchDatabase } from './scratch-database.ts';

const USAGE = `Measures what POST /api/v1/generate takes besides its provider, beside a bare pass-through. See bench/README.md.

  DATABASE_URL=postgres://root@127.0.0.1:5432/postgres npm run bench:hooks -- [--rounds 5] [--requests 300]
    [--seconds 6] [--rate 100] [--before CHECKOUT] [--profiles FOLDER] [--json FILE]`;

/** V8 optimizes a function after some hundred calls, and a history is long after eight for each customer. */
const WARM_UP = { requests: 400, rate: 100 };

/** `requests` are sent one after the other, then `rate` a second for so many `seconds`; 0 leaves that out. */
const whole = z.number().int();
const Plan = z.object({
  rounds: whole.min(1),
  requests: whole.min(1),
  seconds: whole.min(0),
  rate: whole.min(1),
});
type Plan = z.output<typeof Plan>;
type Round = { readonly alone: readonly AloneFigures[]; readonly steady: readonly SteadyFigures[] };

const HEAD = [
  'per request',
  'server cpu ms',
  'postgres cpu ms',
  'statements',
  'own p50 ms',
  'own p99 ms',
  'clock p50',
  'clock p99',
  'errors',
];

await runBench((signal) => measure(readOptions(), signal));

function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      requests: { type: 'string', default: '300' },
      seconds: { type: 'string', default: '6' },
      rate: { type: 'string', default: '100' },
      before: { type: 'string' },
      profiles: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const [rounds, requests, seconds, rate] = [values.rounds, values.requests, values.seconds, values.rate].map(
    Number,
  );
  const plan = Plan.safeParse({ rounds, requests, seconds, rate });
  if (!plan.success) throw new Error(`Rounds, requests, seconds and rate are whole numbers.\n\n${USAGE}`);
  const { before, profiles, json } = values;
  return { plan: plan.data, before, profiles, json, databaseUrl: process.env['DATABASE_URL'] };
}

async function measure(options: ReturnType<typeof readOptions>, signal: AbortSignal) {
  const { plan, before, profiles, json, databaseUrl } = options;
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const openDatabase = async () => {
    if (databaseUrl === undefined) return undefined;
    const { url } = cleanUp.use(await createScratchDatabase(databaseUrl));
    return { url, meter: cleanUp.use(createDatabaseMeter(url)) };
  };
  const databases = { ours: await openDatabase(), before: before && (await openDatabase()) };
  const children = cleanUp.use(createChildren(folder, signal));
  const facts = { ...machineFacts(), load_average_before: loadAverage() };
  for (const [name, fact] of Object.entries(facts)) console.log(`${name}: ${JSON.stringify(fact)}`);

  const { url: provider } = await children.start('provider', [
    join(import.meta.dirname, 'model-provider.ts'),
  ]);
  const ring = { children, folder, signal };
  const shared = { provider, profiles };
  const targets: Target[] = [
    await startGenerator(ring, { ...shared, name: 'stallhand', database: databases.ours }),
    await startPassThrough(ring, provider, profiles),
    ...(before === undefined
      ? []
      : [
          await startGenerator(ring, {
            ...shared,
            name: 'before',
            root: resolve(before),
            database: databases.before || undefined,
          }),
        ]),
  ];
  for (const target of targets) await runAlone(target, WARM_UP, signal);
  const rounds = await runRounds(targets, provider, plan, signal);
  console.log(`\n${tableOf(rounds)}\n\n${ratiosOf(rounds)}\nload_average_after: ${loadAverage()}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ facts, plan, rounds }, null, 2)}\n`);
}

async function runRounds(targets: readonly Target[], provider: string, plan: Plan, signal: AbortSignal) {
  const rounds: Round[] = [];
  for (let number = 1; number <= plan.rounds; number++) {
    const order = number % 2 === 0 ? targets : targets.toReversed();
    const alone: AloneFigures[] = [];
    const steady: SteadyFigures[] = [];
    for (const target of order) alone.push(await runAlone(target, plan, signal));
    if (plan.seconds > 0)
      for (const target of order) steady.push(await runSteadily(target, provider, plan, signal));
    rounds.push({ alone, steady });
    console.log(`round ${number} of ${plan.rounds}, load average ${loadAverage()}`);
  }
  return rounds;
}

function tableOf(rounds: readonly Round[]): string {
  const steady = Map.groupBy(
    rounds.flatMap((round) => round.steady),
    ({ name }) => name,
  );
  const alone = Map.groupBy(
    rounds.flatMap((round) => round.alone),
    ({ name }) => name,
  );
  const rows = [...alone].map(([name, all]) => {
    const middle = (of: (one: AloneFigures) => number, digits = 2) => median(all.map(of)).toFixed(digits);
    const clocked = steady.get(name) ?? [];
    return [
      name,
      middle(({ server }) => server),
      middle(({ database }) => database),
      middle(({ statements }) => statements, 1),
      middle(({ own50 }) => own50),
      middle(({ own99 }) => own99),
      median(clocked.map(({ p50 }) => p50)).toFixed(1),
      median(clocked.map(({ p99 }) => p99)).toFixed(1),
      String(clocked.reduce((sum, { errors }) => sum + errors, 0)),
    ];
  });
  return align([HEAD, ...rows]);
}

/** Within each round, since the machine is not alike in all of them. */
function ratiosOf(rounds: readonly Round[]): string {
  const of = ({ alone }: Round, name: string) =>
    alone.find((figures) => figures.name === name)?.server ?? Number.NaN;
  const names = ['stallhand', 'before'].filter((name) => rounds.some((round) => of(round, name) > 0));
  const lines = names.map((name) => {
    const ratios = rounds.map((round) => of(round, name) / of(round, 'pass-through'));
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    return `${name} / pass-through, processor time of the server: ${median(ratios).toFixed(2)} (${range} over ${ratios.length} rounds)`;
  });
  return lines.join('\n');
}
