import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from '../../support/database.ts';
import type { Boundary, Peers, Stocked } from './peers.ts';
import { type End, type Place, wave } from './wave.ts';

/** Runs a server executes at once. */
const RUNS = 4;
/** Servers at once. */
const WAVES = 3;

type Killing = {
  readonly peers: Peers;
  /** Where each server has its database. */
  readonly openPlace: () => Promise<Place>;
  readonly boundaries: readonly (Stocked & Boundary)[];
};

/** Runs that are killed, each at its boundary. */
export async function killAll({ peers, openPlace, boundaries }: Killing): Promise<End[]> {
  const begun = performance.now();
  const waves = Array.from({ length: Math.ceil(boundaries.length / RUNS) }, (_, nth) =>
    boundaries.slice(nth * RUNS, (nth + 1) * RUNS),
  );
  const ends: End[] = [];
  await Promise.all(
    Array.from({ length: WAVES }, async () => {
      for (let own = waves.shift(); own; own = waves.shift())
        ends.push(...(await wave(peers, await openPlace(), own)));
    }),
  );
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  process.stdout.write(`killed at ${ends.length} boundaries, ${seconds} s\n`);
  return ends;
}

export async function placeOnServer(): Promise<Place> {
  const { url, close } = await openTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'stallhand-kill-'));
  return {
    url,
    dataDir,
    async drop() {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
