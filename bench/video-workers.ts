import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { z } from 'zod';
import { type Child, createChildren } from './children.ts';
import { loadAverage, machineFacts } from './machine.ts';
import { median } from './results.ts';
import { runBench } from './run-bench.ts';
import { createScratchDatabase } from './scratch-database.ts';

const USAGE = `Renders the same number of videos on one node and on two, each with one video worker and a core of its own, in turn.
Prints the videos a minute, and fails below 1.8 times. Linux with two cores, and PostgreSQL. See bench/README.md.

  npm run bench:workers -- --database postgres://… [--rounds 3] [--videos 16] [--seconds 5]`;

const ROOT = join(import.meta.dirname, '..');
/** Of two nodes to one, videos a minute. */
const BAR = 1.8;
const POLL_MS = 100;
/** Counts for two seconds, in a few kilobytes: nothing but the core itself can slow it down. */
const COUNT =
  'let n = 0; for (const end = Date.now() + 2000; Date.now() < end; ) for (let i = 0; i < 1e5; i++) n++; console.log(n)';

const Video = z.object({ id: z.string(), status: z.string() });

await runBench(async (signal) => {
  const { values } = parseArgs({
    options: {
      database: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      videos: { type: 'string', default: '16' },
      seconds: { type: 'string', default: '5' },
    },
  });
  if (values.database === undefined || cpus().length < 2) throw new Error(USAGE);
  const [rounds = 0, videos = 0, seconds = 0] = [values.rounds, values.videos, values.seconds].map(Number);
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = cleanUp.use(await createScratchDatabase(values.database));
  const children = cleanUp.use(createChildren(folder, signal));
  console.log(JSON.stringify({ ...machineFacts(), load_average_before: loadAverage() }));

  const startNode = async (core: number): Promise<Child> => {
    const node = await children.start(`node-${core}`, [join(ROOT, 'http/main.ts')], {
      PORT: '0',
      AUTH_MODE: 'open',
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, `data-${core}`),
      BLOBS_DIR: join(folder, 'files'),
      VIDEO_WORKERS: '1',
    });
    // Its browser and its encoder start later, and on the same core.
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(node.pid)]);
    return node;
  };
  const ratios: number[] = [];
  const possible: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const first = await startNode(0);
    const one = await perMinute(first.url, { videos, seconds, name: `${round}, one node` }, signal);
    const second = await startNode(1);
    // A browser is there before anything is counted, as it is on the first.
    await perMinute(second.url, { videos: 2, seconds: 1, name: `${round}, first of two` }, signal);
    const two = await perMinute(first.url, { videos, seconds, name: `${round}, two nodes` }, signal);
    await children.stop(first);
    await children.stop(second);
    const cores = await coresTogether(signal);
    ratios.push(two / one);
    possible.push(cores);
    console.log(
      `round ${round}: one node ${one.toFixed(1)} videos a minute, two ${two.toFixed(1)}: ${(two / one).toFixed(2)} times; two cores count ${cores.toFixed(2)} times as far as one`,
    );
  }
  const middle = median(ratios);
  console.log(
    `two nodes over one: ${middle.toFixed(2)} times, at least ${BAR}; the cores alone: ${median(possible).toFixed(2)}; load average ${loadAverage()}`,
  );
  if (!(middle >= BAR)) process.exitCode = 1;
});

/** What two cores count together, to what one counts alone: less than 2 where other machines share their hardware. */
async function coresTogether(signal: AbortSignal): Promise<number> {
  const count = async (core: number) => {
    const args = ['--cpu-list', String(core), process.execPath, '--eval', COUNT];
    return Number((await promisify(execFile)('taskset', args, { signal })).stdout);
  };
  const alone = await count(0);
  const [one, other] = await Promise.all([count(0), count(1)]);
  return (one + other) / alone;
}

type Order = { readonly videos: number; readonly seconds: number; readonly name: string };

/** Orders all videos at once and waits for the last. No two have the same title, so none is taken from another. */
async function perMinute(
  url: string,
  { videos, seconds, name }: Order,
  signal: AbortSignal,
): Promise<number> {
  await finished(url, [await order(url, { title: `Round ${name}, warm-up`, duration: 1 })], signal);
  const from = performance.now();
  const ids = await Promise.all(
    Array.from({ length: videos }, (_, nth) =>
      order(url, { title: `Round ${name}, number ${nth}`, duration: seconds }),
    ),
  );
  await finished(url, ids, signal);
  return (videos * 60_000) / (performance.now() - from);
}

async function order(url: string, { title, duration }: { title: string; duration: number }): Promise<string> {
  const response = await fetch(`${url}/videos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title, duration, template: 'hook', width: 540, height: 960 }),
  });
  if (!response.ok) throw new Error(`POST /videos: ${response.status} ${await response.text()}`);
  return Video.parse(await response.json()).id;
}

async function finished(url: string, ids: readonly string[], signal: AbortSignal): Promise<void> {
  for (const id of ids) {
    for (;;) {
      const { status } = Video.parse(await (await fetch(`${url}/videos/${id}`, { signal })).json());
      if (status === 'completed') break;
      if (status === 'failed') throw new Error(`video ${id} failed`);
      await sleep(POLL_MS, undefined, { signal });
    }
  }
}
