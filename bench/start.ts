import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createChildren } from './children.ts';
import type { Ring } from './contestants.ts';
import { loadAverage, machineFacts } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';
import { watchTree } from './video/watch-tree.ts';

const USAGE = `Measures how long the server takes from its start to its first answer, and its memory, alone and beside another checkout.

  npm run bench:start -- [--rounds 3] [--before CHECKOUT] [--json FILE]`;

const READY_MS = 60_000;
const ASK_AGAIN_MS = 10;
/** Long enough for the queue to be ready, and for what V8 compiles in the background. */
const QUIET_MS = 5_000;

const Manifest = z.object({ scripts: z.object({ start: z.string() }) });

type Checkout = { readonly name: string; readonly root: string };
type Start = { readonly seconds: number; readonly peakMebibytes: number; readonly idleMebibytes: number };
type Figures = { readonly name: string; readonly first: Start; readonly warm: Start };

const FIGURES: readonly (readonly [name: string, of: (figures: Figures) => number])[] = [
  ['first start, s', ({ first }) => first.seconds],
  ['first start, peak MiB', ({ first }) => first.peakMebibytes],
  ['first start, idle MiB', ({ first }) => first.idleMebibytes],
  ['warm start, s', ({ warm }) => warm.seconds],
  ['warm start, peak MiB', ({ warm }) => warm.peakMebibytes],
  ['warm start, idle MiB', ({ warm }) => warm.idleMebibytes],
];

await runBench(async (signal) => {
  const { rounds, before, json } = readOptions();
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const ring = { children: cleanUp.use(createChildren(folder, signal)), folder, signal };
  const facts = { ...machineFacts(), load_average_before: loadAverage() };
  const checkouts: Checkout[] = [{ name: 'stallhand', root: resolve(import.meta.dirname, '..') }];
  if (before !== undefined) checkouts.push({ name: 'before', root: resolve(before) });

  const all: Figures[] = [];
  // The first round reads the files of the checkouts, which the system then keeps in memory.
  for (let round = 0; round <= rounds; round++) {
    const inTurn = round % 2 === 0 ? checkouts : checkouts.toReversed();
    for (const checkout of inTurn) {
      const figures = await startTwice(ring, checkout);
      if (round > 0) all.push(figures);
    }
    if (round > 0) console.log(`round ${round} of ${rounds}, load average ${loadAverage()}`);
  }
  console.log(`\n${report(all)}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ facts, figures: all }, null, 2)}\n`);
});

function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      before: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`Rounds are a whole number from 1.\n\n${USAGE}`);
  return { rounds, before: values.before, json: values.json };
}

/** On a folder that is empty at first, which is also where the first start leaves its compile cache. */
async function startTwice(ring: Ring, checkout: Checkout): Promise<Figures> {
  const own = join(ring.folder, checkout.name);
  mkdirSync(own);
  try {
    const first = await startOnce(ring, checkout, own);
    return { name: checkout.name, first, warm: await startOnce(ring, checkout, own) };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

async function startOnce({ children, signal }: Ring, { name, root }: Checkout, own: string): Promise<Start> {
  const port = await freePort();
  const settings = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: '',
    DATA_DIR: join(own, 'data'),
    TMPDIR: own,
  };
  const began = performance.now();
  const server = children.launch(name, startArguments(root), settings, root);
  const watch = watchTree(server.pid, 'Rss');
  try {
    while (!(await answers(port, signal))) {
      const late = performance.now() - began > READY_MS;
      if (late || server.child.exitCode !== null)
        throw new Error(`${root} did not start:\n${readFileSync(server.words, 'utf8').slice(-2000)}`);
      await sleep(ASK_AGAIN_MS, undefined, { signal });
    }
    const seconds = (performance.now() - began) / 1000;
    await sleep(QUIET_MS, undefined, { signal });
    const { peakMebibytes, lastMebibytes } = watch.stop();
    return { seconds, peakMebibytes, idleMebibytes: lastMebibytes };
  } finally {
    watch.stop();
    await children.stop(server);
  }
}

/** What `npm start` runs in this checkout, without `node`. */
function startArguments(root: string): string[] {
  const { scripts } = Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  return scripts.start.split(' ').slice(1);
}

async function answers(port: number, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/templates`, { signal }).catch(() => undefined);
  signal.throwIfAborted();
  await response?.body?.cancel();
  return response?.ok ?? false;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  // A TCP server that listens has an address with a port.
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

/** Medians of each, and of the ratios within each round, since the machine is not alike in all of them. */
function report(all: readonly Figures[]): string {
  const ours = all.filter(({ name }) => name === 'stallhand');
  const before = all.filter(({ name }) => name === 'before');
  const beside = (of: (figures: Figures) => number): string[] => {
    if (before.length === 0) return [];
    const ratios = ours.map((own, round) => of(own) / of(before[round] ?? own));
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    return [median(before.map(of)).toFixed(2), median(ratios).toFixed(2), range];
  };
  const rows = FIGURES.map(([name, of]) => [name, median(ours.map(of)).toFixed(2), ...beside(of)]);
  const others = before.length > 0 ? ['before', 'ratio', 'of the rounds'] : [];
  return align([['', 'stallhand', ...others], ...rows]);
}
