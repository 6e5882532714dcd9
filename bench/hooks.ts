import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createChildren } from './children.ts';
import { startOurGenerator, startPassThrough } from './contestants.ts';
import { loadAverage, machineFacts } from './machine.ts';
import { align, median, percentile } from './results.ts';
import { runBench } from './run-bench.ts';
import { createScratchDatabase } from './scratch-database.ts';

const USAGE = `Measures what POST /api/v1/generate takes besides its provider, beside a bare pass-through. See bench/README.md.

  DATABASE_URL=postgres://root@127.0.0.1:5432/postgres npm run bench:hooks -- [--rounds 5] [--seconds 6] [--rate 100] [--json FILE]`;

type Plan = { readonly rounds: number; readonly seconds: number; readonly rate: number };
type Target = { readonly name: string; readonly url: string; readonly authorizations: readonly string[] };
type Figures = { readonly name: string; readonly p50: number; readonly p99: number; readonly errors: number };

await runBench((signal) => measure(readOptions(), signal));

function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '6' },
      rate: { type: 'string', default: '100' },
      json: { type: 'string' },
    },
  });
  const plan = { rounds: Number(values.rounds), seconds: Number(values.seconds), rate: Number(values.rate) };
  const whole = Object.values(plan).every((n) => Number.isInteger(n) && n > 0);
  if (!whole) throw new Error(`Rounds, seconds and rate are whole numbers from 1.\n\n${USAGE}`);
  return { plan, json: values.json, databaseUrl: process.env['DATABASE_URL'] };
}

async function measure({ plan, json, databaseUrl }: ReturnType<typeof readOptions>, signal: AbortSignal) {
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = databaseUrl ? cleanUp.use(await createScratchDatabase(databaseUrl)) : undefined;
  const children = cleanUp.use(createChildren(folder, signal));
  const facts = { ...machineFacts(), load_average_before: loadAverage() };
  for (const [name, fact] of Object.entries(facts)) console.log(`${name}: ${JSON.stringify(fact)}`);

  const provider = await children.start('provider', [join(import.meta.dirname, 'model-provider.ts')]);
  const ring = { children, folder, signal };
  const targets: Target[] = [
    await startOurGenerator(ring, provider.url, database?.url),
    await startPassThrough(ring, provider.url),
  ];
  const warmUp = { ...plan, seconds: 4 };
  for (const target of targets) await runOne(target, provider.url, warmUp, signal);
  const rounds: Figures[][] = [];
  for (let round = 1; round <= plan.rounds; round++) {
    const order = round % 2 === 0 ? targets : targets.toReversed();
    const figures: Figures[] = [];
    for (const target of order) figures.push(await runOne(target, provider.url, plan, signal));
    rounds.push(figures);
    console.log(`round ${round} of ${plan.rounds}, load average ${loadAverage()}`);
  }
  const summary = summarise(rounds);
  console.log(`\n${summary.table}\n\n${summary.sentence}\nload_average_after: ${loadAverage()}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ facts, plan, rounds }, null, 2)}\n`);
}

/** Sends requests at a steady pace, whether answers come or not, and takes the provider's part out of each. */
async function runOne(target: Target, provider: string, plan: Plan, signal: AbortSignal): Promise<Figures> {
  const total = plan.rate * plan.seconds;
  const start = performance.now();
  const latencies = new Map<string, number>();
  let errors = 0;
  const sent = [];
  for (let index = 0; index < total; index++) {
    const due = start + (index * 1000) / plan.rate;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal });
    const number = String(index);
    sent.push(
      generate(target, number, signal).then(
        (ms) => latencies.set(number, ms),
        () => errors++,
      ),
    );
  }
  await Promise.all(sent);
  const times = z.record(z.string(), z.number()).parse(await (await fetch(`${provider}/times`)).json());
  const own = [...latencies].map(([number, ms]) => ms - (times[number] ?? Number.NaN));
  return { name: target.name, p50: percentile(own, 50), p99: percentile(own, 99), errors };
}

async function generate(
  { url, authorizations }: Target,
  number: string,
  signal: AbortSignal,
): Promise<number> {
  const authorization = authorizations[Number(number) % authorizations.length];
  const sent = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify({ topic: `copper kettles, request ${number}`, count: 5, provider: 'provider_a' }),
    signal,
  });
  const answer = (await response.json()) as { hooks?: unknown[] };
  if (!response.ok || answer.hooks?.length !== 5)
    throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  return performance.now() - sent;
}

function summarise(rounds: readonly Figures[][]) {
  const names = ['stallhand', 'pass-through'];
  const of = (name: string) => rounds.flatMap((round) => round.filter((figures) => figures.name === name));
  const rows = names.map((name) => {
    const all = of(name);
    const errors = all.reduce((sum, figures) => sum + figures.errors, 0);
    return [
      name,
      median(all.map(({ p50 }) => p50)).toFixed(2),
      median(all.map(({ p99 }) => p99)).toFixed(2),
      String(errors),
    ];
  });
  const [ours = [], bare = []] = names.map(of);
  const ratios = ours.map(({ p50 }, round) => p50 / (bare[round]?.p50 ?? Number.NaN));
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return {
    table: align([['own time', 'p50 ms', 'p99 ms', 'errors'], ...rows]),
    sentence: `stallhand / pass-through, p50 within each round: ${median(ratios).toFixed(2)} (${range} over ${ratios.length} rounds)`,
  };
}
