/** Who asks for a place. */
export type Asker = {
  /** Aborted when they no longer wait. */
  readonly signal?: AbortSignal | undefined;
  /** Whose share of the line it takes; all who name none share one. */
  readonly accountId?: string | undefined;
};

type WaitingLine = {
  /**
   * Resolves when there is a place, which `leave` gives back.
   * Rejects with what `refuse` makes when too many wait, and with the signal's reason when it is aborted.
   */
  enter(asker?: Asker): Promise<void>;
  leave(): void;
  /** Ends all waits with the error. */
  dismiss(error: Error): void;
  counts(): { readonly waiting: number; readonly busy: number };
};

type Limits = { readonly places: number; readonly waiting: number; readonly refuse: () => Error };

type Waiter = { readonly accept: () => void; readonly reject: (error: unknown) => void };

/**
 * A number of places, and those who wait for one. Accounts take turns, each in the order its own came; in a full line an account
 * that has fewer waiting takes the last place of the one that has most, so nobody can keep the others out.
 */
export function createWaitingLine({ places, waiting: limit, refuse }: Limits): WaitingLine {
  // By account, in the order of their turns. No list is empty.
  const lines = new Map<string, Waiter[]>();
  let waiting = 0;
  let busy = 0;

  return { enter, leave, dismiss, counts: () => ({ waiting, busy }) };

  async function enter({ signal, accountId = '' }: Asker = {}): Promise<void> {
    signal?.throwIfAborted();
    if (busy < places) {
      busy++;
      return;
    }
    if (waiting >= limit) makeRoom(accountId);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { accept: resolve, reject };
    // One that has just been given its place keeps it; its work sees the signal.
    const goAway = () => {
      if (take(accountId, lines.get(accountId)?.indexOf(waiter) ?? -1)) reject(signal?.reason);
    };
    lines.set(accountId, [...(lines.get(accountId) ?? []), waiter]);
    waiting++;
    signal?.addEventListener('abort', goAway, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', goAway);
    }
  }

  function leave(): void {
    const [accountId] = lines.keys();
    const next = accountId === undefined ? undefined : take(accountId, 0);
    if (next === undefined || accountId === undefined) {
      busy--;
      return;
    }
    const others = lines.get(accountId);
    lines.delete(accountId);
    if (others) lines.set(accountId, others);
    next.accept();
  }

  function dismiss(error: Error): void {
    const all = [...lines.values()].flat();
    lines.clear();
    waiting = 0;
    for (const waiter of all) waiter.reject(error);
  }

  function makeRoom(accountId: string): void {
    const own = lines.get(accountId)?.length ?? 0;
    const [longest] = [...lines].sort(([, one], [, other]) => other.length - one.length);
    if (!longest || longest[1].length <= own + 1) throw refuse();
    take(longest[0], longest[1].length - 1)?.reject(refuse());
  }

  /** Takes the one at that place of an account's line out of it. */
  function take(accountId: string, at: number): Waiter | undefined {
    const line = lines.get(accountId) ?? [];
    const waiter = line[at];
    if (!waiter) return undefined;
    waiting--;
    if (line.length === 1) lines.delete(accountId);
    else line.splice(at, 1);
    return waiter;
  }
}
