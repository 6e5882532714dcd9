import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../results.ts';
import { mainThreadOf, processorOf } from './processor.ts';
import { generate, type Target } from './requests.ts';

/**
 * One request after the other, less what the server and its database do without any. Milliseconds of processor time: `server` and `database` in the mean, so neither the load, nor
 * the provider, nor what else runs on this machine is in them. `own50` and `own99` are what a request takes of both at a
 * steady rate, with the wait for the one thread of the server.
 */
export type AloneFigures = {
  readonly name: string;
  readonly server: number;
  readonly database: number;
  readonly statements: number;
  readonly own50: number;
  readonly own99: number;
};

export async function runAlone(
  target: Target,
  { requests, rate }: { readonly requests: number; readonly rate: number },
  signal: AbortSignal,
): Promise<AloneFigures> {
  const { name, database } = target;
  const pids = { server: [target.pid], database: database?.backends() ?? [] };
  const read = () => ({
    server: processorOf(pids.server),
    thread: mainThreadOf(target.pid),
    database: processorOf(pids.database),
  });
  const idle = await during(target, read, () => sleep(IDLE_MS, undefined, { signal }));
  const served: number[] = [];
  const stored: number[] = [];
  const busy = await during(target, read, async () => {
    for (let number = 0; number < requests; number++) {
      const before = read();
      const start = performance.now();
      await generate(target, number, signal);
      const after = read();
      const ms = performance.now() - start;
      served.push(Math.max(0, after.thread - before.thread - idle.thread * ms));
      stored.push(Math.max(0, after.database - before.database - idle.database * ms));
    }
  });
  const own = ownTimes(served, stored, 1000 / rate);
  return {
    name,
    server: ((busy.server - idle.server) * busy.ms) / requests,
    database: ((busy.database - idle.database) * busy.ms) / requests,
    statements: ((busy.statements - idle.statements) * busy.ms) / requests,
    own50: percentile(own, 50),
    own99: percentile(own, 99),
  };
}

const IDLE_MS = 3_000;

type Meters = { readonly server: number; readonly thread: number; readonly database: number };

/** What happens in a millisecond of some work, and how many it took. */
async function during({ database }: Target, read: () => Meters, work: () => Promise<void>) {
  const committed = (await database?.committed()) ?? 0;
  const before = read();
  const start = performance.now();
  await work();
  const after = read();
  const ms = performance.now() - start;
  const statements = ((await database?.committed()) ?? 0) - committed;
  return {
    ms,
    server: (after.server - before.server) / ms,
    thread: (after.thread - before.thread) / ms,
    database: (after.database - before.database) / ms,
    statements: statements / ms,
  };
}

/**
 * The processor times played at a steady rate: a request waits until the server's thread has done those before it. The
 * database has a process for each connection.
 */
function ownTimes(served: readonly number[], stored: readonly number[], everyMs: number): number[] {
  let wait = 0;
  return served.map((server, index) => {
    const own = wait + server + (stored[index] ?? 0);
    wait = Math.max(0, wait + server - everyMs);
    return own;
  });
}
