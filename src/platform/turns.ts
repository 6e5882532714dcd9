export type Turns = {
  /** Runs `work` once all earlier work with the same key in this process has ended. */
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
};

/** Runs work that would conflict one after another. */
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
