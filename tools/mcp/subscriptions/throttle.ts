/** The least time between the beginnings of two runs, in milliseconds. */
const INTERVAL_MS = 1_000;
/** A change is seldom alone: so long the first waits for those that come with it. */
const GATHER_MS = 50;

/** Runs a function soon after it is requested, one run at a time, and at most about once a second. */
export function createThrottle(run: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  let last = Number.NEGATIVE_INFINITY;
  let closed = false;

  const start = async () => {
    timer = undefined;
    running = true;
    last = performance.now();
    try {
      await run();
    } catch {
      // What fails is told by the run itself; the next request begins another.
    } finally {
      running = false;
    }
    if (again) request();
  };

  function request(): void {
    again = running;
    if (closed || running || timer) return;
    const wait = Math.max(GATHER_MS, last + INTERVAL_MS - performance.now());
    timer = setTimeout(() => void start(), wait).unref();
  }

  return {
    request,
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}
