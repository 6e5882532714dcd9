import type { World } from './world.ts';

/** An automatic event, due at a Unix time in seconds. */
export type Due = { readonly at: number; readonly act: () => void };

const MAX_STEPS = 100_000;

/** Goes forward through everything that is due on the way, in order of time. */
export function createClock(world: World, sources: readonly (() => readonly Due[])[]) {
  return {
    now: world.now,
    advance(seconds: number): void {
      if (!(seconds >= 0)) throw new RangeError('the clock only goes forward');
      const until = world.now() + seconds;
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const [next] = sources
          .flatMap((source) => source())
          .filter(({ at }) => at <= until)
          .sort((a, b) => a.at - b.at);
        if (!next) {
          world.skip(until - world.now());
          return;
        }
        world.at(next.at, next.act);
      }
      throw new Error(`the clock found no end after ${MAX_STEPS} steps`);
    },
  };
}
