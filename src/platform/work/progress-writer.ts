export type Progress = { readonly done: number; readonly total: number; readonly message: string };

export type ReportProgress = (done: number, total: number, message: string) => void;

export type ProgressWriter = {
  readonly report: ReportProgress;
  /** Writes the newest progress if it is not written yet. Nothing is written after this. */
  settle(): Promise<void>;
};

/**
 * Writes the newest progress, with at least `intervalMs` between two writes. Progress that is out of date by then is never written;
 * a write that fails is not repeated.
 */
export function createProgressWriter(
  write: (progress: Progress) => Promise<void>,
  intervalMs: number,
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
    timer = setTimeout(() => void writing.then(flush), intervalMs);
  }

  async function writeNewest(): Promise<void> {
    const progress = newest;
    newest = undefined;
    if (progress) await write(progress).catch(() => {});
  }
}
