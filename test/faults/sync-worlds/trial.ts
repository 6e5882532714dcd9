import { setImmediate } from 'node:timers/promises';
import type { Run } from '../../../src/sync/runs/run.ts';
import { createChance } from './chance.ts';
import type { Engine } from './engine.ts';
import type { Call, Lane } from './lane.ts';
import { createPeople } from './people.ts';
import { createWorld, pairOf, type WorldOptions } from './world.ts';

export type Trial = Awaited<ReturnType<typeof openTrial>>;

/** Runs that may fail one after the other, since a service that is out stays out for the whole of one. */
const MAX_RUNS = 6;

/** A world of a seed in a lane, and everything that happens around the calls that are made for it. */
export async function openTrial(
  engine: Engine,
  lane: Lane,
  seed: number,
  { direction, ...options }: Omit<WorldOptions, 'id'>,
) {
  const chance = createChance(seed);
  const world = createWorld(lane, chance, { id: `w${seed}`, direction, ...options });
  const people = createPeople(world);
  const state = {
    faulted: 0,
    lively: 0,
    isPlanned: false,
    isWriting: false,
    outAfter: Number.POSITIVE_INFINITY,
    /** What else happens around a call. */
    happens: (_call: Call, _moment: 'before' | 'after'): void => {},
  };
  const count = { runs: 0, failed: 0, deeds: 0, doubtful: 0 };
  const runs: Run[] = [];
  lane.enter({ chance: createChance(seed + 0x5eed), faulted: () => state.faulted, outage, around });
  await engine.join(world.id, pairOf(world));

  return {
    seed,
    world,
    people,
    state,
    count,
    runs,

    /** Runs until one has not failed. */
    async run(make: () => Promise<Run> = () => engine.run(world.id)): Promise<Run> {
      for (let nth = 0; nth < MAX_RUNS; nth++) {
        state.isPlanned = false;
        state.isWriting = false;
        const run = await make();
        state.outAfter = Number.POSITIVE_INFINITY;
        runs.push(run);
        count.runs += 1;
        if (!run.errors.some(({ key }) => /^(store|sheet)_unavailable/.test(key))) return run;
        count.failed += 1;
        // People go on acting before the next run.
        if (state.lively > 0) for (let deeds = chance.between(0, 6); deeds > 0; deeds--) people.act('rows');
      }
      throw new Error('no run came through');
    },

    async close(): Promise<void> {
      lane.enter({ chance, faulted: () => 0, outage: () => false, around: () => {} });
      await engine.leave(world.id);
      await setImmediate();
    },
  };

  /** From some write on no answer of either side comes, until the run has failed. */
  function outage({ isWrite }: Call): boolean {
    if (isWrite) state.outAfter -= 1;
    return state.outAfter < 0;
  }

  function around(call: Call, moment: 'before' | 'after'): void {
    const { side, name, isWrite } = call;
    state.happens(call, moment);
    if (side === 'store' && isWrite && moment === 'before') state.isPlanned = true;
    // Nothing but the service itself could tell what is typed between our last look at a cell and our writing it.
    if (name === 'readEntered') state.isWriting = true;
    if (!chance.happens(state.lively)) return;
    const where = whereabouts();
    if (!where) return;
    count.deeds += 1;
    people.act(where);
  }

  /** Where the sheet is right, only what is sold between the reading and the writing can be told to have been kept. */
  function whereabouts() {
    if (direction === 'sheet_to_store') return state.isPlanned ? 'sales' : undefined;
    return state.isWriting ? 'store' : 'rows';
  }
}
