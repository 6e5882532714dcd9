import { DIRECTIONS } from '../../../src/sync/config.ts';
import { createThrottleStore } from '../../../src/sync/throttle-repo.ts';
import { openTestDatabase } from '../../support/database.ts';
import { createVirtualClock } from './clock.ts';
import { type Engine, openEngine } from './engine.ts';
import { createLane, type Lane } from './lane.ts';
import { openTrial, type Trial } from './trial.ts';
import type { WorldOptions } from './world.ts';

/** How the world of every trial is; its seed says the rest. */
type Worlds = Omit<WorldOptions, 'id' | 'direction'>;

/** Answers what is wrong in the end. */
export type Check = (trial: Trial, engine: Engine) => Promise<string[]>;

export type Arena = Awaited<ReturnType<typeof openArena>>;

/** `SYNC_SEED=17,41` has only these trials. */
const ONLY = process.env['SYNC_SEED'];
const LANES = 4;

/** The engine with worlds to try it in, some at once. */
export async function openArena() {
  const clock = createVirtualClock();
  const database = await openTestDatabase();
  const engine = await openEngine(database, clock.date);
  const throttles = createThrottleStore(database.sql, clock.date);
  const lanes = Array.from({ length: LANES }, (_, nth) => createLane(nth, clock, throttles));

  return {
    /** Tries the seeds from 1 on, in the three directions in turn, in worlds of `most` variants at most. */
    async tryAll({ trials, ...options }: { readonly trials: number } & Worlds, check: Check) {
      const seeds = ONLY ? ONLY.split(',').map(Number) : Array.from({ length: trials }, (_, nth) => nth + 1);
      const totals = {
        trials: seeds.length,
        runs: 0,
        failed: 0,
        deeds: 0,
        doubtful: 0,
        wrong: [] as unknown[],
      };
      const begun = performance.now();
      await Promise.all(
        lanes.map(async (lane) => {
          for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
            const { seed: named, wrong, count } = await tried(lane, seed, options, check);
            if (wrong.length > 0) totals.wrong.push({ seed: named, wrong: wrong.slice(0, 5) });
            for (const name of ['runs', 'failed', 'deeds', 'doubtful'] as const) totals[name] += count[name];
          }
        }),
      );
      return { ...totals, ms: Math.round(performance.now() - begun), ...asked(lanes) };
    },

    async close(): Promise<void> {
      await engine.close();
      await database.close();
    },
  };

  async function tried(lane: Lane, seed: number, options: Worlds, check: Check) {
    const direction = DIRECTIONS[seed % DIRECTIONS.length] ?? 'two_way';
    const trial = await openTrial(engine, lane, seed, { direction, ...options });
    try {
      return { ...trial, wrong: await check(trial, engine) };
    } catch (error) {
      const ends = trial.runs.map(({ status, errors }) => ({ status, errors: errors.slice(0, 3) }));
      return { ...trial, wrong: [`${direction}: ${error}`, JSON.stringify(ends)] };
    } finally {
      await trial.close();
    }
  }
}

/** Calls, writes and faults of all lanes. */
function asked(lanes: readonly Lane[]) {
  const sum = (of: (lane: Lane) => number) => lanes.reduce((total, lane) => total + of(lane), 0);
  return {
    calls: sum(({ made }) => made.calls),
    writes: { store: sum(({ made }) => made.store), sheet: sum(({ made }) => made.sheet) },
    faults: sum(({ made }) => made.faults),
  };
}
