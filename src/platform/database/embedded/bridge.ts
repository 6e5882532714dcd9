import { randomInt } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createSessionLock } from './session-lock.ts';
import { closeStatementMessage, queryMessage, readBackend, syncMessage } from './wire.ts';
import { type SocketHost, WireSocket } from './wire-socket.ts';

/** A database with one session, which runs one group of messages at a time. */
export type EmbeddedSession = {
  /** Messages for a client after its startup message, without BackendKeyData and ReadyForQuery. */
  readonly greeting: Buffer;
  /** Runs messages that end in Query, Sync or Flush. A rejection means that the session has crashed. */
  run(group: Buffer, timeoutMs: number): Promise<Buffer>;
};

export type BridgeLimits = {
  /** How long a query waits for an open transaction of another connection. */
  readonly lockTimeoutMs: number;
  /** How long a transaction may be idle. Longer than `lockTimeoutMs`, so the waiting query reports the cause. */
  readonly idleTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** How long a connection in the background lets others go first. */
  readonly patienceMs: number;
};

export type Bridge = {
  /**
   * Opens a connection that speaks PostgreSQL's protocol; one in the background lets all others go first. It fails
   * immediately after a crash or `close`.
   */
  socket(precedence?: 'background'): Duplex;
  /**
   * Calls `work` while no statement or transaction runs, once everything that was committed is in the files. The others wait
   * for it, however long it takes.
   * @throws SessionLockError when an open transaction does not end in time
   */
  still<T>(work: () => Promise<T>): Promise<T>;
  /** True after a crash; every query then fails. */
  readonly stopped: boolean;
  /** Closes every connection and rolls back open transactions. */
  close(): Promise<void>;
};

const CHECKPOINT_TIMEOUT_MS = 60_000;

/** Time that the others need between two statements of one request. */
const QUIET_MS = 10;

/**
 * Shares one database session among any number of connections. Message groups never interleave, an open transaction
 * keeps the session to itself, and notifications reach every connection that listens.
 */
export function createBridge(session: EmbeddedSession, limits: BridgeLimits): Bridge {
  const lock = createSessionLock<object>(limits.lockTimeoutMs);
  const sockets = new Set<WireSocket>();
  const inBackground = new WeakSet<WireSocket>();
  const leaving = new Set<Promise<void>>();
  let count = 0;
  let stopped = false;
  let closed = false;
  /** Connections not in the background that wait for the session or hold it, and when the last one released it. */
  const others = new Set<WireSocket>();
  let othersAt = Number.NEGATIVE_INFINITY;

  const host: SocketHost = {
    greeting: session.greeting,
    idleTimeoutMs: limits.idleTimeoutMs,
    statementTimeoutMs: limits.statementTimeoutMs,
    acquire,
    release,
    run,
    notify,
    cancel,
    leave,
  };

  return {
    socket,
    still,
    close,
    get stopped() {
      return stopped;
    },
  };

  function socket(precedence?: 'background'): Duplex {
    const made = new WireSocket(host, { processId: ++count, secret: randomInt(2 ** 32) });
    if (precedence === 'background') inBackground.add(made);
    sockets.add(made);
    // The driver drops a pool slot for good when its socket cannot be opened, but reconnects after a loss.
    if (closed || stopped) setImmediate(() => made.destroy(new SessionStopped()));
    return made;
  }

  async function acquire(socket: WireSocket): Promise<void> {
    if (!inBackground.has(socket)) others.add(socket);
    else if (!lock.isHeldBy(socket)) await quiet();
    try {
      await lock.acquire(socket);
    } catch (error) {
      others.delete(socket);
      throw error;
    }
  }

  function release(socket: WireSocket): void {
    if (others.delete(socket)) othersAt = performance.now();
    lock.release(socket);
  }

  /** Waits until the others have been answered, and have sent nothing more for a moment; but not for ever. */
  async function quiet(): Promise<void> {
    const patience = performance.now() + limits.patienceMs;
    // What others have sent by now goes first.
    await new Promise(setImmediate);
    const isBusy = () => others.size > 0 || performance.now() < othersAt + QUIET_MS;
    while (isBusy() && performance.now() < patience) await delay(1);
  }

  async function still<T>(work: () => Promise<T>): Promise<T> {
    const owner = {};
    await lock.acquire(owner);
    try {
      return await lock.patiently(async () => {
        await run(queryMessage('checkpoint'), CHECKPOINT_TIMEOUT_MS);
        return work();
      });
    } finally {
      lock.release(owner);
    }
  }

  async function close(): Promise<void> {
    closed = true;
    for (const one of sockets) one.destroy();
    while (leaving.size > 0) await Promise.all(leaving);
  }

  async function run(group: Buffer, timeoutMs: number): Promise<Buffer> {
    try {
      return await session.run(group, timeoutMs);
    } catch (cause) {
      stopped = true;
      for (const one of sockets) one.destroy(new SessionStopped({ cause }));
      throw new SessionStopped({ cause });
    }
  }

  function notify(notification: Buffer): void {
    for (const one of sockets) if (one.listening) one.push(notification);
  }

  function cancel(processId: number, secret: number): void {
    for (const one of sockets) {
      if (one.processId === processId && one.secret === secret) lock.cancelWait(one, 'canceled');
    }
  }

  function leave(socket: WireSocket, work: Promise<void>, statementNames: readonly string[]): void {
    sockets.delete(socket);
    others.delete(socket);
    lock.cancelWait(socket, 'closed');
    const cleaned = work.then(() => cleanUp(socket, statementNames)).catch(() => {});
    leaving.add(cleaned);
    void cleaned.then(() => leaving.delete(cleaned));
  }

  /** Rolls back the connection's transaction and frees its prepared statements: the session outlives it. */
  async function cleanUp(left: WireSocket, named: readonly string[]): Promise<void> {
    const held = lock.isHeldBy(left);
    if (stopped || (!held && (closed || named.length === 0))) return;
    await lock.acquire(left);
    try {
      if (held) await run(syncMessage, limits.statementTimeoutMs).then(rollBackIfOpen);
      const closes = named.map(closeStatementMessage);
      if (!closed) await run(Buffer.concat([...closes, syncMessage]), limits.statementTimeoutMs);
    } finally {
      lock.release(left);
    }
  }

  async function rollBackIfOpen(answer: Buffer): Promise<void> {
    const ready = readBackend(answer).findLast(({ type }) => type === 'Z');
    if (ready?.bytes.toString('latin1', 5) === 'I') return;
    await run(queryMessage('rollback'), limits.statementTimeoutMs);
  }
}

/** The session crashed or is closed. The code is PostgreSQL's `crash_shutdown`. */
class SessionStopped extends Error {
  readonly code = '57P02';

  constructor(options?: ErrorOptions) {
    super('the embedded database has stopped', options);
  }
}
