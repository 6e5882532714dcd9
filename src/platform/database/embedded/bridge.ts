import { randomInt } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { createTurns } from './turns.ts';
import { closeStatementMessage, queryMessage, readBackend, syncMessage } from './wire.ts';
import { type SocketHost, WireSocket } from './wire-socket.ts';

/** A database that has one session and runs one group of messages at a time. */
export type Engine = {
  /** What a client is told after it opens a connection, without key and readiness. */
  readonly greeting: Buffer;
  /** Runs messages that end in Query, Sync or Flush. A rejection means that the engine is gone for good. */
  run(group: Buffer, limitMs: number): Promise<Buffer>;
};

export type BridgeLimits = {
  /** How long a query waits for an open transaction of another connection, in milliseconds. */
  readonly waitMs: number;
  /** How long a transaction may be open without a query. Longer than `waitMs`, so that the one who waits hears why. */
  readonly idleMs: number;
  readonly statementMs: number;
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
export function createBridge(engine: Engine, limits: BridgeLimits): Bridge {
  const turns = createTurns<WireSocket>(limits.waitMs);
  const sockets = new Set<WireSocket>();
  const leaving = new Set<Promise<void>>();
  let count = 0;
  let stopped = false;
  let closed = false;
  let rested = performance.now();

  const host: SocketHost = {
    greeting: engine.greeting,
    idleMs: limits.idleMs,
    statementMs: limits.statementMs,
    take: turns.take,
    give: turns.give,
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
    if (closed || stopped) setImmediate(() => made.destroy(new EngineStopped()));
    return made;
  }

  async function close(): Promise<void> {
    closed = true;
    for (const one of sockets) one.destroy();
    while (leaving.size > 0) await Promise.all(leaving);
  }

  async function run(group: Buffer, limitMs: number): Promise<Buffer> {
    await rest();
    try {
      return await engine.run(group, limitMs);
    } catch (cause) {
      stopped = true;
      for (const one of sockets) one.destroy(new EngineStopped({ cause }));
      throw new EngineStopped({ cause });
    }
  }

  /** The engine runs in this thread: without this, a full queue would keep timers and other sockets waiting. */
  async function rest(): Promise<void> {
    if (performance.now() - rested < 10) return;
    await new Promise(setImmediate);
    rested = performance.now();
  }

  function notify(notification: Buffer): void {
    for (const one of sockets) if (one.listening) one.push(notification);
  }

  function cancel(processId: number, secret: number): void {
    for (const one of sockets) {
      if (one.processId === processId && one.secret === secret) turns.refuse(one, 'cancelled');
    }
  }

  function leave(left: WireSocket, work: Promise<void>, named: readonly string[]): void {
    sockets.delete(left);
    turns.refuse(left, 'closed');
    const tidied = work.then(() => tidy(left, named)).catch(() => {});
    leaving.add(tidied);
    void tidied.then(() => leaving.delete(tidied));
  }

  /** Ends what the connection had begun, and frees its prepared statements: the session lives on without it. */
  async function tidy(left: WireSocket, named: readonly string[]): Promise<void> {
    const held = turns.holds(left);
    if (stopped || (!held && (closed || named.length === 0))) return;
    await turns.take(left);
    try {
      if (held) await run(syncMessage, limits.statementMs).then(rollBackIfOpen);
      const closes = named.map(closeStatementMessage);
      if (!closed) await run(Buffer.concat([...closes, syncMessage]), limits.statementMs);
    } finally {
      turns.give(left);
    }
  }

  async function rollBackIfOpen(answer: Buffer): Promise<void> {
    const ready = readBackend(answer).findLast(({ type }) => type === 'Z');
    if (ready?.bytes.toString('latin1', 5) === 'I') return;
    await run(queryMessage('rollback'), limits.statementMs);
  }
}

/** The engine crashed, or is closed. The code is PostgreSQL's for a crash. */
class EngineStopped extends Error {
  readonly code = '57P02';

  constructor(options?: ErrorOptions) {
    super('the embedded database has stopped', options);
  }
}
