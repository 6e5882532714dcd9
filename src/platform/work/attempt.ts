import type { Report } from './progress-writer.ts';

/** Names one attempt at a piece of work. A statement with it does nothing once another attempt owns the work. */
export type Fence = { readonly accountId: string; readonly id: string; readonly attempt: number };

/** Why an attempt was told to end before it was done. */
export type Ending = 'canceled' | 'stopping' | 'lost' | 'late';

/** A piece of work being done in this process. */
export type Attempt = {
  readonly fence: Fence;
  /** Aborts when the work is canceled, takes too long, or is to go on elsewhere; not when a cancelation is held back. */
  readonly signal: AbortSignal;
  /** The first reason given, but that a cancelation held back gives way to any other; undefined while there is none. */
  readonly ending: Ending | undefined;
  readonly progress: Report;
  end(ending: Ending): void;
  /** From now on a cancelation is only said by `ending`: the work ends for it where it does no harm. */
  holdCancelation(): void;
};

export function createAttempt(fence: Fence, progress: Report): Attempt {
  const controller = new AbortController();
  let ending: Ending | undefined;
  let isHeld = false;
  return {
    fence,
    signal: controller.signal,
    get ending() {
      return ending;
    },
    progress,
    end(reason) {
      // A cancelation that is held back does not keep the process from stopping.
      if (!controller.signal.aborted) ending = reason;
      if (!isHeld || reason !== 'canceled') controller.abort();
    },
    holdCancelation() {
      isHeld = true;
    },
  };
}
