export type Refusal = 'waited_too_long' | 'cancelled' | 'closed';

/** Thrown by `take` to the one who did not get a turn. */
export class TurnRefused extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(reason);
    this.reason = reason;
  }
}

export type Turns<Owner extends object> = {
  /** Resolves when the turn is the owner's, at once if it already is. Rejects with TurnRefused. */
  take(owner: Owner): Promise<void>;
  /** Hands the turn to the one who waits longest. */
  give(owner: Owner): void;
  holds(owner: Owner): boolean;
  /** Ends the owner's wait, if it waits. */
  refuse(owner: Owner, reason: Refusal): void;
};

type Waiter<Owner> = {
  readonly owner: Owner;
  readonly accept: () => void;
  readonly reject: (refused: TurnRefused) => void;
  readonly timer: NodeJS.Timeout;
};

/** Who may talk to the one session there is: one owner at a time, in the order of asking, none waiting longer than the limit. */
export function createTurns<Owner extends object>(waitMs: number): Turns<Owner> {
  let holder: Owner | undefined;
  const waiting: Waiter<Owner>[] = [];

  return { take, give, refuse, holds: (owner) => holder === owner };

  async function take(owner: Owner): Promise<void> {
    if (holder === owner) return;
    if (holder === undefined) {
      holder = owner;
      return;
    }
    await new Promise<void>((accept, reject) => {
      const timer = setTimeout(() => refuse(owner, 'waited_too_long'), waitMs);
      waiting.push({ owner, accept, reject, timer });
    });
  }

  function give(owner: Owner): void {
    if (holder !== owner) return;
    const next = waiting.shift();
    holder = next?.owner;
    clearTimeout(next?.timer);
    next?.accept();
  }

  function refuse(owner: Owner, reason: Refusal): void {
    const at = waiting.findIndex((waiter) => waiter.owner === owner);
    const [waiter] = at < 0 ? [] : waiting.splice(at, 1);
    clearTimeout(waiter?.timer);
    waiter?.reject(new TurnRefused(reason));
  }
}
