export type Deadline = {
  readonly signal: AbortSignal;
  /** Starts the time again. */
  refresh(): void;
  /** Ends the timer, and stops following the other signal. */
  end(): void;
};

/**
 * A signal that follows another, and aborts automatically after `ms` milliseconds. Unlike AbortSignal.timeout
 * and AbortSignal.any, it leaves nothing in memory once it has ended: a server makes thousands of these before
 * one of them times out.
 */
export function createDeadline(followed: AbortSignal, ms: number, reason?: () => unknown): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(followed.reason);
  // A process that got no processor for that long has not read yet what came in time: it reads first.
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    reading = setImmediate(() => controller.abort(reason?.()));
  }, ms);
  followed.addEventListener('abort', follow, { once: true });
  if (followed.aborted) follow();
  return {
    signal: controller.signal,
    refresh() {
      clearImmediate(reading);
      timer.refresh();
    },
    end() {
      clearTimeout(timer);
      clearImmediate(reading);
      followed.removeEventListener('abort', follow);
    },
  };
}
