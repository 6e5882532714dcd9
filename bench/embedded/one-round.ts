import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Child, createChildren } from '../children.ts';
import { connectBoth, post, runToEnd } from '../sync/running-server.ts';
import { type Probed, probe, TEMPLATE } from './probes.ts';

/** One sync of so many variants onto an empty sheet, and what another caller of the same server felt of it. */
export type Round = {
  readonly idle: Probed;
  readonly during: Probed;
  /** How long the run took, in seconds. */
  readonly seconds: number;
  /** The longest that the event loop was late, in milliseconds. */
  readonly longestIdle: number;
  readonly longestDuring: number;
  /** The most memory that each process had resident until it was ready and quiet, and after the sync, in MiB. */
  readonly firstStart: number;
  readonly laterStart: number;
  readonly afterSync: number;
};

type Given = {
  readonly variants: number;
  readonly folder: string;
  readonly nodeOptions: readonly string[];
  readonly signal: AbortSignal;
};

const ROOT = join(import.meta.dirname, '../..');
const Manifest = z.object({ scripts: z.object({ start: z.string() }) });
const { scripts } = Manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
/** What `npm start` runs, without `node`. */
const START = scripts.start.split(' ').slice(1);
const QUIET_MS = 5_000;
const IDLE_MS = 30_000;

const Places = z.object({ store: z.string(), sheet: z.string() });
const Differing = z.object({ differing: z.number() });

export async function measureRound({ variants, folder, nodeOptions, signal }: Given): Promise<Round> {
  const own = join(folder, `round-${Date.now()}`);
  mkdirSync(own);
  await using children = createChildren(own, signal);
  const peers = await children.start('peers', [join(ROOT, 'bench/sync/peers.ts'), String(variants), 'small']);
  const ask = async (path: string) => (await fetch(`${peers.url}${path}`, { signal })).json();
  const { store, sheet } = Places.parse(await ask('/places'));
  const delays = join(own, 'delays');
  const server = {
    args: [...nodeOptions, '--import', join(ROOT, 'bench/embedded/loop-watch.ts'), ...START],
    environment: {
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATA_DIR: join(own, 'data'),
      ENCRYPTION_KEY: 'a key that only this benchmark has and knows',
      SHOPIFY_BASE_URL: store,
      GOOGLE_BASE_URL: sheet,
      RATE_LIMITS: JSON.stringify({ read: AMPLE, write: AMPLE, sync: AMPLE }),
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
      LOOP_DELAYS: delays,
    },
  };
  const measured = await (async () => {
    const started = await children.start('server', server.args, server.environment);
    await sleep(QUIET_MS, undefined, { signal });
    const firstStart = peakOf(started);
    const pair = await prepare(started.url);
    const idleFrom = Date.now();
    const idle = await probe(started.url, sleep(IDLE_MS, undefined, { signal }));
    const from = Date.now();
    const run = runToEnd(started.url, pair);
    const during = await probe(started.url, run);
    const seconds = (Date.now() - from) / 1000;
    const { status } = await run;
    const { differing } = Differing.parse(await ask('/differing'));
    if (status !== 'succeeded' || differing > 0) throw new Error(`${status}, and ${differing} rows differ`);
    const longestIdle = longest(delays, idleFrom, from);
    const longestDuring = longest(delays, from, Date.now());
    const afterSync = peakOf(started);
    await children.stop(started);
    return { idle, during, seconds, longestIdle, longestDuring, firstStart, afterSync };
  })();
  const again = await children.start('server-again', server.args, server.environment);
  await sleep(QUIET_MS, undefined, { signal });
  return { ...measured, laterStart: peakOf(again) };
}

const AMPLE = { perSecond: 1000, burst: 1000 };

/** A template to render, and both sides connected. */
async function prepare(url: string) {
  await post(`${url}/v1/templates`, { name: TEMPLATE, html: '<p>Hello {{name}}</p>' });
  return connectBoth(url);
}

function peakOf({ pid }: Child): number {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(peak) / 1024;
}

function longest(file: string, from: number, to: number): number {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const told = lines.map((line) => line.split(' ').map(Number));
  return Math.max(0, ...told.flatMap(([at = 0, late = 0]) => (at > from && at <= to ? [late] : [])));
}
