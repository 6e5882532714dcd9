import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createChildren } from './children.ts';
import { createCustomers } from './customers.ts';
import { loadAverage, machineFacts } from './machine.ts';
import { type Kept, type Send, SHOPS, stock } from './mixed/calls.ts';
import { type Condition, conditionOf, leftIn } from './mixed/condition.ts';
import { type Nodes, startNodes } from './mixed/nodes.ts';
import { type KindFigures, loadSteadily, type SteadyOptions } from './mixed/steady.ts';
import { align } from './results.ts';
import { runBench } from './run-bench.ts';
import { createScratchDatabase } from './scratch-database.ts';

const USAGE = `Loads one server or two with what shops do (60 % renders, 20 % reads, 10 % writes, 5 % PDFs, 3 % hooks, 2 % videos of
2 s) at a steady rate, and prints latencies, errors, and what the servers hold over time. See bench/README.md. Linux only.

  npm run bench:load -- [--rate 10] [--minutes 10] [--nodes 1] [--faults] [--find] [--database URL] [--json FILE]

  --faults    every 30 s a node is killed or restarted
  --find      finds the highest rate first, doubled every 20 s, that is held
  --database  a PostgreSQL server; two nodes need one. Default: the embedded database`;

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '10' },
    nodes: { type: 'string', default: '1' },
    faults: { type: 'boolean', default: false },
    find: { type: 'boolean', default: false },
    database: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const FAULT_EVERY_MS = 30_000;
/** How often the servers' condition is taken in a run. */
const LOOKS = 10;
const STEP_SECONDS = 20;
/** A rate is held while nothing fails and renders answer within this. */
const HELD_P99_MS = 250;
const CALL_MS = 60_000;
const AMPLE = { perSecond: 1000, burst: 1000 };

if (values.help) console.log(USAGE);
else await runBench(measure);

async function measure(signal: AbortSignal): Promise<void> {
  const [rate = 0, minutes = 0, count = 0] = [values.rate, values.minutes, values.nodes].map(Number);
  const isMeant = rate > 0 && minutes > 0 && (count === 1 || (count === 2 && values.database));
  if (!isMeant) throw new Error(USAGE);
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const scratch = values.database ? cleanUp.use(await createScratchDatabase(values.database)) : undefined;
  const children = cleanUp.use(createChildren(temporary, signal));
  console.log(JSON.stringify({ ...machineFacts(), load_average_before: loadAverage() }));

  const provider = await children.start('provider', [join(import.meta.dirname, 'model-provider.ts')]);
  const settings = {
    PORT: '0',
    AUTH_MODE: 'required',
    LOG_LEVEL: 'warn',
    OPENAI_API_KEY: 'bench',
    OPENAI_BASE_URL: `${provider.url}/v1`,
    BLOBS_DIR: join(folder, 'files'),
    RATE_LIMITS: JSON.stringify({ read: AMPLE, write: AMPLE, generate: AMPLE }),
    ...(scratch && { DATABASE_URL: scratch.url }),
  };
  const keys = await createCustomers({ ...settings, DATA_DIR: join(folder, 'data-0') }, SHOPS);
  const nodes = cleanUp.use(await startNodes({ children, count, folder, settings }));
  const sendAs = (shop: number) => createSend(nodes, keys[shop] ?? '', signal);
  for (let shop = 0; shop < SHOPS; shop++) await stock(sendAs(shop));

  const kept: Kept = new Map();
  const load = { sendAs, kept, signal };
  // Browsers, encoders and compiled templates are there before anything is counted.
  await loadSteadily({ ...load, rate: Math.min(rate, 5), seconds: STEP_SECONDS, from: 0 });
  const held = values.find ? await findRate(load) : undefined;

  const seconds = minutes * 60;
  const watched = watch(nodes, temporary, scratch?.url, (seconds * 1000) / LOOKS);
  const disturbed = values.faults ? disturb(nodes, count) : undefined;
  const { figures, errors } = await loadSteadily({ ...load, rate, seconds, from: 1_000_000 });
  await disturbed?.stop();
  const conditions = await watched.stop();
  const lost = await lostOf(kept, sendAs);
  await nodes[Symbol.asyncDispose]();
  const left = leftIn(folder);

  const faults = values.faults ? 'with faults' : 'without faults';
  console.log(`\n${rate} calls a second for ${minutes} min, nodes: ${count}, ${faults}`);
  console.log(`${figureTable(figures)}\n\n${conditionTable(conditions)}\n`);
  console.log(`acknowledged writes ${kept.size}, lost ${lost.length}; processes left ${left.length}`);
  if (held !== undefined)
    console.log(`held: ${held} calls a second (renders' p99 at most ${HELD_P99_MS} ms, no error)`);
  console.log(`load average ${loadAverage()}`);
  for (const { kind, at, says } of errors.slice(0, 20))
    console.log(`at ${at.toFixed(0)} s, ${kind}: ${says}`);
  for (const one of [...lost.slice(0, 5), ...left]) console.log(one);
  if (values.json)
    writeFileSync(values.json, JSON.stringify({ rate, held, figures, conditions, lost }, null, 2));
  if (lost.length > 0 || left.length > 0) throw new Error('Something was lost, or left running.');
}

/** Nothing is sent twice. */
function createSend(nodes: Nodes, key: string, signal: AbortSignal): Send {
  return async (method, path, body) => {
    const url = nodes.next();
    if (url === undefined) throw new Error('no node is ready');
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${bytes.toString().slice(0, 200)}`);
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(bytes.toString()) : {};
  };
}

/** Doubles the rate until a call fails or renders are late; returns the last that was held. */
async function findRate(load: Pick<SteadyOptions, 'sendAs' | 'kept' | 'signal'>): Promise<number> {
  let held = 0;
  for (let rate = 5; ; rate *= 2) {
    const { figures, errors } = await loadSteadily({
      ...load,
      rate,
      seconds: STEP_SECONDS,
      from: rate * 1_000,
    });
    const p99 = figures.find(({ kind }) => kind === 'render')?.p99 ?? Number.NaN;
    console.log(`${rate} a second: renders' p99 ${p99.toFixed(0)} ms, errors ${errors.length}`);
    if (errors.length > 0 || p99 > HELD_P99_MS) return held;
    held = rate;
  }
}

function watch(nodes: Nodes, temporary: string, url: string | undefined, everyMs: number) {
  const conditions: Condition[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      conditions.push(await conditionOf(nodes.pids(), temporary, url));
      await sleep(everyMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      stop.abort();
      await watching;
      return conditions;
    },
  };
}

/** Kills the nodes in turn, then restarts them in turn, and so on. */
function disturb(nodes: Nodes, count: number) {
  const stop = new AbortController();
  const disturbing = (async () => {
    for (let nth = 0; ; nth++) {
      await sleep(FAULT_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {});
      if (stop.signal.aborted) return;
      await nodes.disturb(nth, Math.floor(nth / count) % 2 === 0 ? 'kill' : 'restart');
    }
  })();
  return {
    async stop() {
      stop.abort();
      await disturbing;
    },
  };
}

/** Of what the server said it keeps, what it does not have any more, or has otherwise. */
async function lostOf(kept: Kept, sendAs: (shop: number) => Send): Promise<string[]> {
  const lost: string[] = [];
  for (const [name, { shop, subject }] of kept) {
    const found = await sendAs(shop)('GET', `/v1/templates/${name}?include=html`).catch((error: unknown) => ({
      subject: String(error),
    }));
    if (found['subject'] !== subject) lost.push(`${name}: ${String(found['subject'])}`);
  }
  return lost;
}

function figureTable(figures: readonly KindFigures[]): string {
  const rows = figures.map(({ kind, answered, p50, p99, errors }) =>
    [kind, answered, p50.toFixed(0), p99.toFixed(0), errors].map(String),
  );
  return align([['', 'answered', 'p50 ms', 'p99 ms', 'errors'], ...rows]);
}

function conditionTable(conditions: readonly Condition[]): string {
  const rows = conditions.map(({ memory, handles, processes, temporary, jobs = '-' }, nth) =>
    [`at ${(nth * 100) / LOOKS} %`, memory, handles, processes, temporary, jobs].map(String),
  );
  return align([['', 'MiB', 'handles', 'processes', 'temporary', 'jobs'], ...rows]);
}
