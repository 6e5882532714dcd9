export type Turns = {
  /** Does `work` once every other of the same key that asked before, in this process, has ended. */
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
};

/** Lets those who would get in each other's way go one after another. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, work) {
      const turn = (last.get(key) ?? Promise.resolve()).then(work);
      const ended = turn.catch(() => {});
      last.set(key, ended);
      try {
        return await turn;
      } finally {
        if (last.get(key) === ended) last.delete(key);
      }
    },
  };
}
