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
  /**
   * Returns a slot. With `perAccount`, the caller must be the one that entered. A caller that `overran` its
   * time moves its account to the end: until one of its calls ends in time, every other waiting account comes
   * first.
   */
  leave(caller?: QueueCaller, outcome?: { readonly overran: boolean }): void;
  /** How many calls, one after the other, end before this one would have a slot: 0 when one is free. */
  turnsUntil(caller?: QueueCaller): number;
  /** Rejects all waits with the error. */
  dismiss(error: Error): void;
  counts(): { readonly waiting: number; readonly busy: number };
};

type QueueLimits = {
  readonly concurrency: number;
  readonly waiting: number;
  readonly rejection: () => Error;
  /** Maximum number of slots of one account; by default all. */
  readonly perAccount?: number;
};

/** Number of accounts remembered as overrun; the oldest is forgotten first. */
const MAX_LATE = 1000;

type Waiter = { readonly accept: () => void; readonly reject: (error: unknown) => void };

/**
 * Limits concurrency to a number of slots and queues the rest, fairly by account: accounts take turns, first
 * come first served within each. In a full queue an account with fewer waiting calls displaces the last call of
 * the account with the most, so no account can lock out the others.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const { concurrency, waiting: limit, rejection, perAccount = concurrency } = limits;
  // By account, in the order of their turns. No queue is empty.
  const queues = new Map<string, Waiter[]>();
  const slots = new Map<string, number>();
  const late = new Set<string>();
  const isShared = perAccount < concurrency;
  let waiting = 0;
  let busy = 0;

  return { enter, leave, turnsUntil, dismiss, counts: () => ({ waiting, busy }) };

  async function enter({ signal, accountId = '' }: QueueCaller = {}): Promise<void> {
    signal?.throwIfAborted();
    if (busy < concurrency && mayHaveSlot(accountId)) {
      occupy(accountId);
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

  function leave({ accountId = '' }: QueueCaller = {}, { overran } = { overran: false }): void {
    busy--;
    count(accountId, -1);
    late.delete(accountId);
    if (overran) late.add(accountId);
    const [oldest] = late;
    if (late.size > MAX_LATE && oldest !== undefined) late.delete(oldest);
    serveNext();
  }

  function serveNext(): void {
    const able = [...queues.keys()].filter(mayHaveSlot);
    const accountId = able.find((one) => !late.has(one)) ?? able[0];
    if (accountId === undefined) return;
    const next = take(accountId, 0);
    const others = queues.get(accountId);
    queues.delete(accountId);
    if (others) queues.set(accountId, others);
    occupy(accountId);
    next?.accept();
  }

  function mayHaveSlot(accountId: string): boolean {
    return !isShared || (slots.get(accountId) ?? 0) < perAccount;
  }

  function occupy(accountId: string): void {
    busy++;
    count(accountId, 1);
  }

  function count(accountId: string, change: 1 | -1): void {
    if (!isShared) return;
    const used = (slots.get(accountId) ?? 0) + change;
    if (used > 0) slots.set(accountId, used);
    else slots.delete(accountId);
  }

  function turnsUntil({ accountId = '' }: QueueCaller = {}): number {
    if (busy < concurrency && mayHaveSlot(accountId)) return 0;
    const own = (queues.get(accountId)?.length ?? 0) + 1;
    const isLate = late.has(accountId);
    let others = 0;
    for (const [other, queue] of queues) {
      if (other === accountId || (late.has(other) && !isLate)) continue;
      others += isLate && !late.has(other) ? queue.length : Math.min(queue.length, own);
    }
    return Math.max(own / perAccount, (own + others) / concurrency);
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
