export type Progress = { readonly done: number; readonly total: number; readonly message: string };

export type Report = (done: number, total: number, message: string) => void;

export type ProgressWriter = {
  readonly report: Report;
  /** Writes what is still to be written. Nothing is written after this. */
  settle(): Promise<void>;
};

/**
 * Writes the newest progress, seldom enough not to burden the database: what is overtaken is never written, and what
 * cannot be written is left out. Between two writes there are `pauseMs` at least.
 */
export function createProgressWriter(
  write: (progress: Progress) => Promise<void>,
  pauseMs: number,
): ProgressWriter {
  let newest: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let settled = false;

  return {
    report(done, total, message) {
      if (settled) return;
      newest = { done, total, message };
      if (timer === undefined) flush();
    },
    async settle() {
      settled = true;
      clearTimeout(timer);
      await writing;
      await writeNewest();
    },
  };

  function flush(): void {
    timer = undefined;
    if (!newest || settled) return;
    writing = writeNewest();
    timer = setTimeout(() => void writing.then(flush), pauseMs);
  }

  async function writeNewest(): Promise<void> {
    const progress = newest;
    newest = undefined;
    if (progress) await write(progress).catch(() => {});
  }
}
