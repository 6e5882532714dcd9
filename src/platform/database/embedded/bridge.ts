import { randomInt } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { createSessionLock } from './session-lock.ts';
import { closeStatementMessage, queryMessage, readBackend, syncMessage } from './wire.ts';
import { type SocketHost, WireSocket } from './wire-socket.ts';

/** A database that has one session and runs one group of messages at a time. */
export type EmbeddedSession = {
  /** What a client is told after it opens a connection, without key and readiness. */
  readonly greeting: Buffer;
  /** Runs messages that end in Query, Sync or Flush. A rejection means that the engine is gone for good. */
  run(group: Buffer, timeoutMs: number): Promise<Buffer>;
};

export type BridgeLimits = {
  /** How long a query waits for an open transaction of another connection, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** How long a transaction may be open without a query. Longer than `waitMs`, so that the one who waits hears why. */
  readonly idleTimeoutMs: number;
  readonly statementTimeoutMs: number;
};

export type Bridge = {
  /** A new connection, spoken to like a TCP connection to PostgreSQL. It fails at once when the engine has stopped. */
  socket(): Duplex;
  /** The engine has crashed; nothing works here any more. */
  readonly stopped: boolean;
  /** Drops every connection, rolls back what was open. */
  close(): Promise<void>;
};

/**
 * Lets any number of connections share an engine's one session: groups of messages never mix, an open transaction
 * keeps the session, notifications reach every connection that listens.
 */
export function createBridge(engine: EmbeddedSession, limits: BridgeLimits): Bridge {
  const lock = createSessionLock<WireSocket>(limits.lockTimeoutMs);
  const sockets = new Set<WireSocket>();
  const leaving = new Set<Promise<void>>();
  let count = 0;
  let stopped = false;
  let closed = false;
  let yieldedAt = performance.now();

  const host: SocketHost = {
    greeting: engine.greeting,
    idleTimeoutMs: limits.idleTimeoutMs,
    statementTimeoutMs: limits.statementTimeoutMs,
    acquire: lock.acquire,
    release: lock.release,
    run,
    notify,
    cancel,
    leave,
  };

  return {
    socket,
    close,
    get stopped() {
      return stopped;
    },
  };

  function socket(): Duplex {
    const made = new WireSocket(host, { processId: ++count, secret: randomInt(2 ** 32) });
    sockets.add(made);
    // The driver never uses a connection again whose socket could not be made, but it does one that broke.
    if (closed || stopped) setImmediate(() => made.destroy(new SessionStopped()));
    return made;
  }

  async function close(): Promise<void> {
    closed = true;
    for (const one of sockets) one.destroy();
    while (leaving.size > 0) await Promise.all(leaving);
  }

  async function run(group: Buffer, timeoutMs: number): Promise<Buffer> {
    await yieldToEventLoop();
    try {
      return await engine.run(group, timeoutMs);
    } catch (cause) {
      stopped = true;
      for (const one of sockets) one.destroy(new SessionStopped({ cause }));
      throw new SessionStopped({ cause });
    }
  }

  /** The engine runs in this thread: without this, a full queue would keep timers and other sockets waiting. */
  async function yieldToEventLoop(): Promise<void> {
    if (performance.now() - yieldedAt < 10) return;
    await new Promise(setImmediate);
    yieldedAt = performance.now();
  }

  function notify(notification: Buffer): void {
    for (const one of sockets) if (one.listening) one.push(notification);
  }

  function cancel(processId: number, secret: number): void {
    for (const one of sockets) {
      if (one.processId === processId && one.secret === secret) lock.cancelWait(one, 'cancelled');
    }
  }

  function leave(socket: WireSocket, work: Promise<void>, statementNames: readonly string[]): void {
    sockets.delete(socket);
    lock.cancelWait(socket, 'closed');
    const cleaned = work.then(() => cleanUp(socket, statementNames)).catch(() => {});
    leaving.add(cleaned);
    void cleaned.then(() => leaving.delete(cleaned));
  }

  /** Ends what the connection had begun, and frees its prepared statements: the session lives on without it. */
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

/** The engine crashed, or is closed. The code is PostgreSQL's for a crash. */
class SessionStopped extends Error {
  readonly code = '57P02';

  constructor(options?: ErrorOptions) {
    super('the embedded database has stopped', options);
  }
}
