export type Deadline = {
  readonly signal: AbortSignal;
  /** Starts the time again. */
  refresh(): void;
  /** Ends the timer, and stops following the other signal. */
  end(): void;
};

/**
 * A signal that follows another, and aborts automatically after `ms` milliseconds. Unlike AbortSignal.timeout and
 * AbortSignal.any, nothing of it is left once it has ended: a server makes thousands of these in the time one of them has.
 */
export function createDeadline(followed: AbortSignal, ms: number, reason?: () => unknown): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(followed.reason);
  const timer = setTimeout(() => controller.abort(reason?.()), ms);
  followed.addEventListener('abort', follow, { once: true });
  if (followed.aborted) follow();
  return {
    signal: controller.signal,
    refresh: () => void timer.refresh(),
    end() {
      clearTimeout(timer);
      followed.removeEventListener('abort', follow);
    },
  };
}
