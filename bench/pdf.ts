import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { resolveBrowser } from '../src/platform/browser/resolve-browser.ts';
import { ask } from './ask.ts';
import { createChildren } from './children.ts';
import { type Contestant, type Ring, startJsreportPrinter, startOurPrinter } from './contestants.ts';
import { findGenerator } from './load.ts';
import { loadAverage, machineFacts, peersInstalled } from './machine.ts';
import { readPlan } from './read-plan.ts';
import { type Measurement, ratioOf, rowsOf, sentence, table } from './results.ts';
import { runRounds } from './rounds.ts';
import { runBench } from './run-bench.ts';
import { assertSamePages } from './same-pages.ts';

const USAGE = `Measures POST /v1/export to PDF beside jsreport's chrome-pdf, both with the same browser. See bench/README.md.

  npm run bench:pdf -- [--rounds 5] [--seconds 8] [--connections 1,2] [--before CHECKOUT] [--json FILE]

The other server is installed by: npm ci --prefix bench/peers
With --before it may be missing: another checkout is measured in the same rounds.`;

const RATIOS = [
  ['stallhand', 'jsreport'],
  ['stallhand-tagged', 'jsreport'],
  ['stallhand', 'before'],
  ['stallhand-tagged', 'before-tagged'],
] as const;

await runBench((signal) => measure(readOptions(), signal));

type Options = ReturnType<typeof readPlan>;

function readOptions(): Options {
  const options = readPlan({ seconds: '8', connections: '1,2' }, USAGE);
  if (!options.before && !peersInstalled()) throw new Error(`The other server is not installed.\n\n${USAGE}`);
  return options;
}

async function measure({ plan, json, before }: Options, signal: AbortSignal): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const children = cleanUp.use(createChildren(folder, signal));
  const log = pino({ level: 'silent' });
  const executablePath = process.env['PUPPETEER_EXECUTABLE_PATH'];
  const { executable: browser } = await resolveBrowser({ executablePath, log });
  const facts = { ...machineFacts(), browser, load_average_before: loadAverage() };
  for (const [name, fact] of Object.entries(facts)) console.log(`${name}: ${JSON.stringify(fact)}`);

  const ring = { children, folder, signal };
  const contestants = [
    ...(await startOurPrinter(ring, 'stallhand', browser)),
    ...(before ? await startBefore(ring, browser, before) : []),
    ...(peersInstalled() ? [await startJsreportPrinter(ring, browser)] : []),
  ];
  const prints = await assertSamePages(contestants, signal);
  console.log(
    `${prints.map(({ name, pages, bytes }) => `${name}: ${pages} pages, ${bytes} B`).join('; ')}\n`,
  );

  const measurements = await runRounds(contestants, plan, findGenerator(), signal);
  const summaries = plan.connections.map((connections) => summarise(measurements, connections));
  const load_average_after = loadAverage();
  console.log(`\nload_average_after: ${load_average_after}`);
  if (json === undefined) return;
  const results = { facts: { ...facts, load_average_after }, plan, prints, summaries, measurements };
  writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
}

/** An older checkout may not know tags yet: that is told and left out. */
async function startBefore(ring: Ring, browser: string, root: string): Promise<Contestant[]> {
  const able: Contestant[] = [];
  for (const printer of await startOurPrinter(ring, 'before', browser, root)) {
    try {
      await ask(printer.request, ring.signal);
      able.push(printer);
    } catch (error) {
      ring.signal.throwIfAborted();
      console.log(`${printer.name} is not measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  return able;
}

function summarise(all: readonly Measurement[], connections: number) {
  const measurements = all.filter((one) => one.connections === connections);
  const rows = rowsOf(measurements).sort((a, b) => a.per_second - b.per_second);
  const ratios = RATIOS.map(([of, to]) => ratioOf(measurements, of, to)).filter(
    ({ rounds }) => rounds.length > 0,
  );
  console.log(`\n${connections} in flight\n${table(rows)}\n\n${ratios.map(sentence).join('\n')}`);
  return { connections, rows, ratios };
}
