import { queryMessage, type WireError } from './wire.ts';

type SessionLockReason = 'waited_too_long' | 'cancelled' | 'closed';

/** Thrown by `take` to the one who did not get a turn. */
export class SessionLockError extends Error {
  readonly reason: SessionLockReason;

  constructor(reason: SessionLockReason) {
    super(reason);
    this.reason = reason;
  }
}

type SessionLock<Owner extends object> = {
  /** Resolves when the turn is the owner's, at once if it already is. Rejects with TurnRefused. */
  acquire(owner: Owner): Promise<void>;
  /** Hands the turn to the one who waits longest. */
  release(owner: Owner): void;
  isHeldBy(owner: Owner): boolean;
  /** Ends the owner's wait, if it waits. */
  cancelWait(owner: Owner, reason: SessionLockReason): void;
};

type Waiter<Owner> = {
  readonly owner: Owner;
  readonly accept: () => void;
  readonly reject: (refused: SessionLockError) => void;
  readonly timer: NodeJS.Timeout;
};

/** Who may talk to the one session there is: one owner at a time, in the order of asking, none waiting longer than the limit. */
export function createSessionLock<Owner extends object>(timeoutMs: number): SessionLock<Owner> {
  let holder: Owner | undefined;
  const waiting: Waiter<Owner>[] = [];

  return { acquire, release, cancelWait, isHeldBy: (owner) => holder === owner };

  async function acquire(owner: Owner): Promise<void> {
    if (holder === owner) return;
    if (holder === undefined) {
      holder = owner;
      return;
    }
    await new Promise<void>((accept, reject) => {
      const timer = setTimeout(() => cancelWait(owner, 'waited_too_long'), timeoutMs);
      waiting.push({ owner, accept, reject, timer });
    });
  }

  function release(owner: Owner): void {
    if (holder !== owner) return;
    const next = waiting.shift();
    holder = next?.owner;
    clearTimeout(next?.timer);
    next?.accept();
  }

  function cancelWait(owner: Owner, reason: SessionLockReason): void {
    const at = waiting.findIndex((waiter) => waiter.owner === owner);
    const [waiter] = at < 0 ? [] : waiting.splice(at, 1);
    clearTimeout(waiter?.timer);
    waiter?.reject(new SessionLockError(reason));
  }
}

/** What a client hears that got no turn at the session. */
export const LOCK_ERRORS: Record<SessionLockReason, WireError> = {
  waited_too_long: {
    severity: 'ERROR',
    code: '55P03',
    message: 'the embedded database is held by an open transaction',
    hint: 'Inside a transaction, send every query through the transaction. Keep transactions short.',
  },
  cancelled: { severity: 'ERROR', code: '57014', message: 'cancelled while waiting', hint: 'Send it again.' },
  closed: {
    severity: 'FATAL',
    code: '57P01',
    message: 'the embedded database is closing',
    hint: 'Open it again.',
  },
};

/** What a client hears whose transaction stood still. */
export const IDLE_TIMEOUT_ERROR: WireError = {
  severity: 'FATAL',
  code: '25P03',
  message: 'the transaction was idle for too long and has been rolled back',
  hint: 'Await nothing but queries inside a transaction.',
};

/** COPY would end the WebAssembly instance. Raised by the server itself, so that an open transaction fails as it should. */
export const RAISE_COPY_ERROR = queryMessage(
  `do $$ begin raise exception 'COPY is not available on the embedded database'
   using errcode = '0A000', hint = 'Use insert and select, or a PostgreSQL named by DATABASE_URL.'; end $$`,
);
