/** The place of one job among those that a process works on at the same time. */
export type Place = {
  /** Leaves the place to another job for as long as `wait` takes, then takes one again. */
  away<T>(wait: () => Promise<T>): Promise<T>;
  /** The job has ended. */
  leave(): void;
};

/**
 * A fixed number of places for jobs. In: jobs that begin, wait for something outside, and end. Out: the job
 * that may work. Jobs that come back from waiting are served in their order, before new ones. `onAway`: a place
 * may have become free.
 */
export function createPlaces(count: number, onAway: () => void) {
  const queue: (() => void)[] = [];
  let free = count;

  return {
    free: (): number => free,

    /** Resolves once there is a place. */
    async take(): Promise<Place> {
      await occupy();
      let waits = 0;
      let isHeld = true;
      let hasEnded = false;
      return {
        async away(wait) {
          waits++;
          if (isHeld) {
            isHeld = false;
            vacate();
            onAway();
          }
          // What fails ends its job, for which it needs no place.
          const result = await wait().finally(() => {
            waits--;
          });
          // A job may wait for two things: it is back when neither is left.
          if (waits === 0 && !hasEnded) await comeBack();
          return result;
        },
        leave() {
          hasEnded = true;
          if (isHeld) vacate();
          isHeld = false;
        },
      };

      async function comeBack(): Promise<void> {
        await occupy();
        if (isHeld || hasEnded || waits > 0) vacate();
        else isHeld = true;
      }
    },
  };

  async function occupy(): Promise<void> {
    if (free === 0) return new Promise((resolve) => void queue.push(resolve));
    free--;
  }

  function vacate(): void {
    const next = queue.shift();
    if (next) next();
    else free++;
  }
}
