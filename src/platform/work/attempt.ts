import type { ReportProgress } from './progress-writer.ts';

/** Names one attempt at a work item. A statement with it changes nothing once another attempt owns the item. */
export type FencingToken = { readonly accountId: string; readonly id: string; readonly attempt: number };

/** Why an attempt has to end before its work is done. `superseded`: another attempt owns the item, or it is gone. */
export type AbortReason = 'canceled' | 'stopping' | 'superseded' | 'timed_out';

/** One try at a work item, running in this process. */
export type Attempt = {
  readonly fence: FencingToken;
  /** Aborts with every reason, but not with a cancelation while cancelations are deferred. */
  readonly signal: AbortSignal;
  /** The first reason given, except that a deferred cancelation gives way to any other. */
  readonly abortReason: AbortReason | undefined;
  readonly progress: ReportProgress;
  /** Runs work that only waits, such as for another service; the process works on something else until it is done. */
  readonly away: Away;
  abort(reason: AbortReason): void;
  /** From now on a cancelation only sets `abortReason`: the work checks it where ending does no harm. */
  deferCancelation(): void;
};

type Away = <T>(wait: () => Promise<T>) => Promise<T>;

export function createAttempt(fence: FencingToken, progress: ReportProgress, away: Away): Attempt {
  const controller = new AbortController();
  let abortReason: AbortReason | undefined;
  let isDeferred = false;
  return {
    fence,
    signal: controller.signal,
    get abortReason() {
      return abortReason;
    },
    progress,
    away,
    abort(reason) {
      // A deferred cancelation does not keep the process from stopping.
      if (!controller.signal.aborted) abortReason = reason;
      if (!isDeferred || reason !== 'canceled') controller.abort();
    },
    deferCancelation() {
      isDeferred = true;
    },
  };
}
