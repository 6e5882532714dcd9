import { queryMessage, type WireError } from './wire.ts';

/** Why a wait ended without the lock. */
type SessionLockReason = 'timeout' | 'canceled' | 'closed';

/** Rejects `acquire` when the wait ended without the lock. */
export class SessionLockError extends Error {
  readonly reason: SessionLockReason;

  constructor(reason: SessionLockReason) {
    super(reason);
    this.reason = reason;
  }
}

type SessionLock<Owner extends object> = {
  /** Resolves when the owner holds the lock; immediately if it already does. Rejects with SessionLockError. */
  acquire(owner: Owner): Promise<void>;
  /** Passes the lock to the longest-waiting owner. */
  release(owner: Owner): void;
  isHeldBy(owner: Owner): boolean;
  /** While `work` runs, no wait times out: the holder has announced that it takes long. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  /** Rejects the owner's `acquire`, if it is waiting. */
  cancelWait(owner: Owner, reason: SessionLockReason): void;
};

type Waiter<Owner> = {
  readonly owner: Owner;
  readonly accept: () => void;
  readonly reject: (refused: SessionLockError) => void;
  timer: NodeJS.Timeout | undefined;
};

/** Grants the one database session to one owner at a time, first come first served. */
export function createSessionLock<Owner extends object>(timeoutMs: number): SessionLock<Owner> {
  let holder: Owner | undefined;
  const waiting: Waiter<Owner>[] = [];
  let isPatient = false;

  return { acquire, release, patiently, cancelWait, isHeldBy: (owner) => holder === owner };

  async function acquire(owner: Owner): Promise<void> {
    if (holder === owner) return;
    if (holder === undefined) {
      holder = owner;
      return;
    }
    await new Promise<void>((accept, reject) => {
      waiting.push({ owner, accept, reject, timer: isPatient ? undefined : timerOf(owner) });
    });
  }

  function timerOf(owner: Owner): NodeJS.Timeout {
    return setTimeout(() => cancelWait(owner, 'timeout'), timeoutMs);
  }

  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    isPatient = true;
    for (const { timer } of waiting) clearTimeout(timer);
    try {
      return await work();
    } finally {
      isPatient = false;
      for (const waiter of waiting) waiter.timer = timerOf(waiter.owner);
    }
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

/** What a client that did not get the lock receives. */
export const LOCK_ERRORS: Record<SessionLockReason, WireError> = {
  timeout: {
    severity: 'ERROR',
    code: '55P03',
    message: 'the embedded database is held by an open transaction',
    hint: 'Inside a transaction, send every query through the transaction. Keep transactions short.',
  },
  canceled: { severity: 'ERROR', code: '57014', message: 'canceled while waiting', hint: 'Send it again.' },
  closed: {
    severity: 'FATAL',
    code: '57P01',
    message: 'the embedded database is closing',
    hint: 'Open it again.',
  },
};

/** Ends a connection whose transaction was idle. */
export const IDLE_TIMEOUT_ERROR: WireError = {
  severity: 'FATAL',
  code: '25P03',
  message: 'the transaction was idle for too long and has been rolled back',
  hint: 'Await nothing but queries inside a transaction.',
};

/** COPY crashes PGlite. This statement replaces it, so the server raises the error and an open transaction fails. */
export const RAISE_COPY_ERROR = queryMessage(
  `do $$ begin raise exception 'COPY is not available on the embedded database'
   using errcode = '0A000', hint = 'Use insert and select, or a PostgreSQL named by DATABASE_URL.'; end $$`,
);
