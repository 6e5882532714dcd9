import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { RATE_NAMES } from '../../../src/platform/rates.ts';
import { silentLog } from '../../support/app.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { type BegunRun, connectPair } from './connect-pair.ts';
import type { Boundary, Held, Peers, Stocked } from './peers.ts';

/** Where a database is, and how it is dropped. */
export type Place = { readonly url: string | undefined; readonly dataDir: string; drop(): Promise<void> };

/** A run to look at; one with a boundary is killed there. */
export type Wanted = Stocked & Partial<Boundary>;

/** How it went: the calls that changed something until the run had ended, and what is not as it has to be. */
export type End = Wanted & { readonly writes: readonly string[]; readonly wrong: readonly string[] };

const REACHED_MS = 90_000;
const ENDED_MS = 90_000;
const MAX_WRONG = 5;

const SETTINGS = {
  ENCRYPTION_KEY: 'a key of thirty-two characters or more',
  RATE_LIMITS: JSON.stringify(
    Object.fromEntries(RATE_NAMES.map((name) => [name, { perSecond: 1_000_000, burst: 1_000_000 }])),
  ),
  SYNC_DEMO: 'false',
  GOOGLE_CLIENT_ID: 'client',
  GOOGLE_CLIENT_SECRET: 'secret',
};

let named = 0;

/**
 * Runs of one server, as many as it executes at once. It is killed when each has reached its boundary, then there are
 * sales, and another server goes on with them.
 */
export async function wave(peers: Peers, place: Place, wanted: readonly Wanted[]): Promise<End[]> {
  const settings = { ...SETTINGS, ...peers.settings, DATABASE_URL: place.url ?? '' };
  const held = wanted.map((one) => {
    named += 1;
    return peers.add(`shelf-${named}`, one, isBoundary(one) ? one : undefined);
  });
  const begun = await begin(place, settings, held);
  const servers: ServerProcess[] = [];
  try {
    servers.push(await startProcess(place.dataDir, settings));
    if (held.some(({ boundary }) => boundary)) {
      await Promise.all(held.map(reached));
      await servers[0]?.kill();
      for (const { shelf } of held) shelf.gap();
      servers.push(await startProcess(place.dataDir, settings));
    }
    return await Promise.all(begun.map((run) => endOf(run, servers.at(-1))));
  } finally {
    for (const server of servers) await server.kill();
    await place.drop();
  }
}

async function reached({ reached: reaching, boundary }: Held): Promise<void> {
  const late = delay(REACHED_MS, 'late', { ref: false });
  if ((await Promise.race([reaching, late])) === 'late')
    throw new Error(`not reached: ${JSON.stringify(boundary)}`);
}

function isBoundary(one: Wanted): one is Wanted & Boundary {
  return one.fate !== undefined;
}

type Begun = BegunRun & Held;

async function begin(
  { dataDir }: Place,
  settings: Readonly<Record<string, string>>,
  held: readonly Held[],
): Promise<Begun[]> {
  const app = await createApp({ config: readConfig({ ...settings, DATA_DIR: dataDir }), log: silentLog });
  try {
    const begun: Begun[] = [];
    for (const one of held) begun.push({ ...one, ...(await connectPair(app, one.shelf)) });
    return begun;
  } finally {
    await app.close();
  }
}

/** The run to its end, and two that follow: the second has nothing to do. */
async function endOf(
  { shelf, boundary, writes, arrive, config, run }: Begun,
  server?: ServerProcess,
): Promise<End> {
  if (!server) throw new Error('no server');
  const { rest } = server;
  const follow = async () => {
    const { body } = await rest('POST', '/sync/run', { body: { config_id: config } });
    return ended(rest, String(body['run_id']));
  };
  const first = await ended(rest, run);
  const own = [...writes()];
  await arrive();
  const wrong = shelf.wrongAfterRun();
  const second = await follow();
  wrong.push(...shelf.wrongInTheEnd());
  const sent = writes().length;
  const third = await follow();
  if (writes().length !== sent) wrong.push(`${writes().length - sent} writes where nothing had changed`);
  for (const { status, errors } of [first, second, third])
    if (status !== 'succeeded' && status !== 'partial') wrong.push(`${status}: ${JSON.stringify(errors)}`);
  const { direction } = shelf;
  return { ...(boundary ?? { direction }), writes: own, wrong: wrong.slice(0, MAX_WRONG) };
}

async function ended(rest: ServerProcess['rest'], run: string): Promise<Record<string, unknown>> {
  const until = performance.now() + ENDED_MS;
  for (;;) {
    const { body } = await rest('GET', `/sync/history/${run}`);
    if (body['finished_at'] || performance.now() > until) return body;
    await delay(100);
  }
}
