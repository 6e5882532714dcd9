/** The caller that waits for a slot. */
export type QueueCaller = {
  /** Aborting it ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Fairness key, normally the account. Callers without a key share one. */
  readonly accountId?: string | undefined;
};

type FairQueue = {
  /**
   * Resolves with a free slot, which `leave` returns.
   * Rejects with `rejection()` when the queue is full, and with the signal's reason on abort.
   */
  enter(caller?: QueueCaller): Promise<void>;
  leave(): void;
  /** Rejects all waits with the error. */
  dismiss(error: Error): void;
  counts(): { readonly waiting: number; readonly busy: number };
};

type QueueLimits = {
  readonly concurrency: number;
  readonly waiting: number;
  readonly rejection: () => Error;
};

type Waiter = { readonly accept: () => void; readonly reject: (error: unknown) => void };

/**
 * Limits concurrency to a number of slots and queues the rest, fairly by account: accounts take turns, first come first
 * served within each. In a full queue an account with fewer waiting calls displaces the last call of the account with
 * the most, so no account can shut out the others.
 */
export function createFairQueue({ concurrency, waiting: limit, rejection }: QueueLimits): FairQueue {
  // By account, in the order of their turns. No queue is empty.
  const queues = new Map<string, Waiter[]>();
  let waiting = 0;
  let busy = 0;

  return { enter, leave, dismiss, counts: () => ({ waiting, busy }) };

  async function enter({ signal, accountId = '' }: QueueCaller = {}): Promise<void> {
    signal?.throwIfAborted();
    if (busy < concurrency) {
      busy++;
      return;
    }
    if (waiting >= limit) displace(accountId);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { accept: resolve, reject };
    // A call that has just got its slot keeps it; its work sees the signal.
    const cancel = () => {
      if (take(accountId, queues.get(accountId)?.indexOf(waiter) ?? -1)) reject(signal?.reason);
    };
    queues.set(accountId, [...(queues.get(accountId) ?? []), waiter]);
    waiting++;
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  function leave(): void {
    const [accountId] = queues.keys();
    const next = accountId === undefined ? undefined : take(accountId, 0);
    if (next === undefined || accountId === undefined) {
      busy--;
      return;
    }
    const others = queues.get(accountId);
    queues.delete(accountId);
    if (others) queues.set(accountId, others);
    next.accept();
  }

  function dismiss(error: Error): void {
    const all = [...queues.values()].flat();
    queues.clear();
    waiting = 0;
    for (const waiter of all) waiter.reject(error);
  }

  function displace(accountId: string): void {
    const own = queues.get(accountId)?.length ?? 0;
    const [longest] = [...queues].sort(([, one], [, other]) => other.length - one.length);
    if (!longest || longest[1].length <= own + 1) throw rejection();
    take(longest[0], longest[1].length - 1)?.reject(rejection());
  }

  /** Removes and returns the waiter at a position of an account's queue. */
  function take(accountId: string, at: number): Waiter | undefined {
    const queue = queues.get(accountId) ?? [];
    const waiter = queue[at];
    if (!waiter) return undefined;
    waiting--;
    if (queue.length === 1) queues.delete(accountId);
    else queue.splice(at, 1);
    return waiter;
  }
}
