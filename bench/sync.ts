import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadAverage, machineFacts } from './machine.ts';
import { runBench } from './run-bench.ts';
import { type Figures, measureEngine, measureNaive } from './sync/one-round.ts';
import { bars, summaryTable } from './sync/summary.ts';

const USAGE = `Measures what a run of the sync takes: calls, points, wall time, CPU and memory. See bench/README.md.

  DATABASE_URL=postgres://root@127.0.0.1:5432/postgres npm run bench:sync --
    [--sizes 1000,10000,100000] [--rounds 3] [--json FILE] [--profiles FOLDER]`;

await runBench((signal) => measure(readOptions(), signal));

function readOptions() {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '1000,10000,100000' },
      rounds: { type: 'string', default: '3' },
      json: { type: 'string' },
      profiles: { type: 'string' },
    },
  });
  const sizes = values.sizes.split(',').map(Number);
  const rounds = Number(values.rounds);
  const databaseUrl = process.env['DATABASE_URL'];
  const whole = [...sizes, rounds].every((n) => Number.isInteger(n) && n > 0);
  if (!whole) throw new Error(`Sizes and rounds are whole numbers from 1.\n\n${USAGE}`);
  // The embedded database is in the process that is to be measured.
  if (databaseUrl === undefined) throw new Error(`DATABASE_URL names a PostgreSQL.\n\n${USAGE}`);
  return { sizes, rounds, databaseUrl, json: values.json, profiles: values.profiles };
}

async function measure(
  { sizes, rounds, databaseUrl, json, profiles }: ReturnType<typeof readOptions>,
  signal: AbortSignal,
) {
  using cleanUp = new DisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  if (profiles !== undefined) mkdirSync(profiles, { recursive: true });
  const facts = { ...machineFacts(), load_average_before: loadAverage() };
  for (const [name, fact] of Object.entries(facts)) console.log(`${name}: ${JSON.stringify(fact)}`);

  const figures: Figures[] = [];
  for (const variants of sizes) {
    for (let round = 1; round <= rounds; round++) {
      const given = { variants, databaseUrl, folder, profiles, signal };
      figures.push(...(await measureEngine(given)), ...(await measureNaive(given)));
      console.log(`${variants} variants, round ${round} of ${rounds}, load average ${loadAverage()}`);
    }
  }
  console.log(`\n${summaryTable(figures)}\n\n${bars(figures).join('\n')}`);
  console.log(`load_average_after: ${loadAverage()}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ facts, figures }, null, 2)}\n`);
}
