import { setTimeout as sleep } from 'node:timers/promises';

type RetryOptions = {
  /** Milliseconds before the second attempt, the third and so on. There is one attempt more than delays. */
  readonly delays: Iterable<number>;
  /** Whether an error deserves another attempt. A number is the delay to use instead, in milliseconds. Default: always. */
  readonly when?: ((error: unknown) => boolean | number) | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Runs `work` until it succeeds. Rejects with the last error, or with the signal's reason when it aborts between attempts.
 * @param work `attempt` counts from 0.
 */
export async function retry<Result>(
  work: (attempt: number) => Promise<Result>,
  { delays, when = () => true, signal }: RetryOptions,
): Promise<Result> {
  let attempt = 0;
  for (const delay of delays) {
    try {
      return await work(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      const verdict = when(error);
      if (verdict === false) throw error;
      await pause(verdict === true ? delay : verdict, signal);
    }
    attempt++;
  }
  return work(attempt);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // Node rejects with an AbortError of its own; callers expect the signal's reason.
  await sleep(ms, undefined, { signal }).catch(() => {});
  signal?.throwIfAborted();
}
