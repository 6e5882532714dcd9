import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChildren } from './children.ts';
import { startCollector } from './collector.ts';
import {
  type Contestant,
  type Ring,
  startBareExpress,
  startBareHandlebars,
  startJsreport,
  startOurs,
} from './contestants.ts';
import { data, source } from './invoice.ts';
import { findGenerator } from './load.ts';
import { loadAverage, machineFacts, peersInstalled } from './machine.ts';
import { readPlan } from './read-plan.ts';
import { type Measurement, ratioOf, rowsOf, sentence, table } from './results.ts';
import { runRounds } from './rounds.ts';
import { runBench } from './run-bench.ts';
import { assertSameHtml } from './same-html.ts';
import { createScratchDatabase } from './scratch-database.ts';

const USAGE = `Measures POST /v1/render beside jsreport, Express with Handlebars, and Express alone. See bench/README.md.

  npm run bench:render -- [--rounds 5] [--seconds 6] [--connections 8,1] [--before CHECKOUT] [--json FILE]

The other servers are installed by: npm ci --prefix bench/peers
With --before they may be missing: another checkout is measured in the same rounds.
With DATABASE_URL this server is also measured on PostgreSQL, in a database made for the run and dropped after it.`;

const RATIOS = [
  ['stallhand-traced', 'stallhand'],
  ['stallhand', 'before'],
  ['stallhand', 'jsreport'],
  ['stallhand', 'jsreport-trusted'],
  ['stallhand', 'express-handlebars'],
  ['stallhand-postgres', 'jsreport'],
  ['stallhand-postgres', 'jsreport-trusted'],
  ['stallhand-postgres', 'express-handlebars'],
] as const;

await runBench((signal) => measure(readOptions(), signal));

type Options = ReturnType<typeof readPlan>;

function readOptions(): Options {
  const options = readPlan({ seconds: '6', connections: '8,1' }, USAGE);
  if (!options.before && !peersInstalled())
    throw new Error(`The other servers are not installed.\n\n${USAGE}`);
  return options;
}

async function measure({ plan, json, before }: Options, signal: AbortSignal): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { DATABASE_URL } = process.env;
  const database = DATABASE_URL ? cleanUp.use(await createScratchDatabase(DATABASE_URL)) : undefined;
  const children = cleanUp.use(createChildren(folder, signal));
  const generator = findGenerator();
  const facts = { ...machineFacts(), generator: generator.name, load_average_before: loadAverage() };
  for (const [name, fact] of Object.entries(facts)) console.log(`${name}: ${inWords(fact)}`);

  const collector = cleanUp.use(await startCollector());
  const ring = { children, folder, signal };
  const contestants = [
    ...(await startAllOfOurs(ring, { collector: collector.url, database: database?.url, before })),
    ...(peersInstalled() ? await startPeers(ring) : []),
  ];
  const reference = peersInstalled() ? 'express-handlebars' : 'stallhand';
  const mail = await assertSameHtml(contestants, reference, signal);
  const sizes = [source, JSON.stringify(data), mail].map((text) => Buffer.byteLength(text));
  console.log(`All give the same html: template ${sizes[0]} B, data ${sizes[1]} B, mail ${sizes[2]} B.\n`);

  const measurements = await runRounds(contestants, plan, generator, signal);
  const summaries = plan.connections.map((connections) => summarise(measurements, connections));
  const load_average_after = loadAverage();
  console.log(`\nload_average_after: ${load_average_after}`);
  if (json === undefined) return;
  const results = { facts: { ...facts, load_average_after }, plan, summaries, measurements };
  writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
}

type Given = {
  readonly collector: string;
  readonly database: string | undefined;
  readonly before: string | undefined;
};

async function startAllOfOurs(ring: Ring, { collector, database, before }: Given): Promise<Contestant[]> {
  return [
    await startOurs(ring, 'stallhand'),
    ...(before ? [await startOurs(ring, 'before', {}, before)] : []),
    await startOurs(ring, 'stallhand-traced', { OTEL_EXPORTER_OTLP_ENDPOINT: collector }),
    ...(database ? [await startOurs(ring, 'stallhand-postgres', { DATABASE_URL: database })] : []),
  ];
}

async function startPeers(ring: Ring): Promise<Contestant[]> {
  return [
    await startJsreport(ring, 'default'),
    await startJsreport(ring, 'trusted'),
    await startBareHandlebars(ring),
    await startBareExpress(ring),
  ];
}

function summarise(all: readonly Measurement[], connections: number) {
  const measurements = all.filter((one) => one.connections === connections);
  const rows = rowsOf(measurements).sort((a, b) => a.per_second - b.per_second);
  const ratios = RATIOS.map(([of, to]) => ratioOf(measurements, of, to)).filter(
    ({ rounds }) => rounds.length > 0,
  );
  console.log(`\n${connections} connections\n${table(rows)}\n\n${ratios.map(sentence).join('\n')}`);
  return { connections, rows, ratios };
}

function inWords(fact: unknown): string {
  if (typeof fact !== 'object' || fact === null) return String(fact);
  return Object.entries(fact)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
