import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { resolveBrowser } from '../src/platform/browser/resolve-browser.ts';
import { createChildren, run } from './children.ts';
import { loadAverage, machineFacts } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';
import { serveFolder } from './web/folder-server.ts';
import { isLighthouseInstalled, openLighthouse, type Visit } from './web/lighthouse.ts';

const USAGE = `Measures pages with Lighthouse's slow phone, and fails below the bars. See bench/README.md.

  npm run bench:web -- [--runs 5] [--throttling simulate|devtools] [--beside FOLDER] [--json FILE]

--beside names a folder with another built client, which has pages at the same paths.
Lighthouse is installed by: npm ci --ignore-scripts --prefix bench/web/peers`;

const PAGES = [
  { name: 'public page', path: '/welcome', beside: '/', bar: 1 },
  { name: 'app (Today)', path: '/dashboard', beside: '/dashboard', bar: 2.5 },
  { name: 'template editor', path: '/templates/welcome', beside: '/templates/order-shipped', bar: 3.5 },
];
const CLS = 0.02;

await runBench((signal) => measure(readOptions(), signal));

function readOptions() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '5' },
      throttling: { type: 'string', default: 'simulate' },
      beside: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const { throttling } = values;
  if (throttling !== 'simulate' && throttling !== 'devtools') throw new Error(USAGE);
  if (!isLighthouseInstalled()) throw new Error(`Lighthouse is not installed.\n\n${USAGE}`);
  return { ...values, throttling, runs: Number(values.runs) } as const;
}

type Options = ReturnType<typeof readOptions>;
/** `bar` is the longest LCP, in seconds; those beside have none. */
type Subject = { readonly name: string; readonly url: string; readonly bar?: number };

async function measure({ runs, throttling, beside, json }: Options, signal: AbortSignal): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const children = cleanUp.use(createChildren(folder, signal));
  const executablePath = process.env['PUPPETEER_EXECUTABLE_PATH'];
  const { executable } = await resolveBrowser({ executablePath, log: pino({ level: 'silent' }) });
  const facts = { ...machineFacts(), browser: executable, throttling, load_average_before: loadAverage() };
  for (const [name, fact] of Object.entries(facts)) console.log(`${name}: ${JSON.stringify(fact)}`);

  const root = join(import.meta.dirname, '..');
  await run(process.execPath, [join(root, 'web/build.ts')], {}, signal);
  const ours = await children.start('server', [join(root, 'http/main.ts')], {
    PORT: '0',
    AUTH_MODE: 'open',
    LOG_LEVEL: 'warn',
    DATA_DIR: join(folder, 'data'),
  });
  const other = beside && cleanUp.use(await serveFolder(beside));
  const subjects: Subject[] = PAGES.flatMap(({ name, path, bar, beside: there }) => [
    { name, url: `${ours.url}${path}`, bar },
    ...(other ? [{ name: `${name}, beside`, url: `${other.url}${there}` }] : []),
  ]);

  await using lighthouse = await openLighthouse(executable, throttling);
  const visits = new Map<Subject, Visit[]>(subjects.map((subject) => [subject, []]));
  for (let round = 1; round <= runs; round++) {
    for (const [subject, all] of visits) {
      signal.throwIfAborted();
      all.push(await lighthouse.visit(subject.url));
    }
    console.log(`run ${round} of ${runs}, load average ${loadAverage()}`);
  }
  const rows = [...visits].map(([subject, all]) => ({ ...subject, ...mediansOf(all) }));
  console.log(`\n${tableOf(rows)}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ facts, rows }, null, 2)}\n`);
  const missed = rows.flatMap(missedBars);
  for (const one of missed) console.log(one);
  if (missed.length > 0) process.exitCode = 1;
}

type Row = Subject & Visit;

function mediansOf(visits: readonly Visit[]): Visit {
  const middle = (of: (visit: Visit) => number) => median(visits.map(of));
  return {
    lcp: middle(({ lcp }) => lcp),
    cls: middle(({ cls }) => cls),
    performance: middle(({ performance }) => performance),
    accessibility: middle(({ accessibility }) => accessibility),
    'best-practices': middle((visit) => visit['best-practices']),
    failures: [...new Set(visits.flatMap(({ failures }) => failures))],
  };
}

function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.name,
    row.lcp.toFixed(2),
    row.cls.toFixed(3),
    String(row.performance),
    String(row.accessibility),
    String(row['best-practices']),
  ]);
  return align([['', 'LCP s', 'CLS', 'performance', 'accessibility', 'best practices'], ...cells]);
}

function missedBars({ name, bar, lcp, cls, accessibility, failures, ...row }: Row): string[] {
  if (bar === undefined) return [];
  return [
    ...(lcp > bar ? [`${name}: LCP ${lcp.toFixed(2)} s, at most ${bar}`] : []),
    ...(cls > CLS ? [`${name}: CLS ${cls.toFixed(3)}, at most ${CLS}`] : []),
    ...(accessibility < 100 || row['best-practices'] < 100 ? [`${name}: ${failures.join('; ')}`] : []),
  ];
}
