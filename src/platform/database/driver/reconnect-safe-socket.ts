import { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import { createMessageFramer, READY_FOR_QUERY } from './message-framer.ts';
import type { Connection } from './watched-hosts.ts';

/**
 * Opens a socket for the driver that reports losses in the one way postgres.js 3.4.9 handles. A failure to connect
 * becomes a socket that closes immediately: the driver drops a pool slot for good when opening its socket rejects.
 */
export async function openReconnectSafeSocket(
  connect: () => Promise<Connection>,
): Promise<ReconnectSafeSocket> {
  try {
    const { stream, watch } = await connect();
    const socket = new ReconnectSafeSocket(stream);
    watch?.add(socket);
    return socket;
  } catch (error) {
    const unconnected = new Duplex({ read() {}, write() {} });
    setImmediate(() => unconnected.destroy(error instanceof Error ? error : new ConnectionLost()));
    return new ReconnectSafeSocket(unconnected);
  }
}

const COMMAND_COMPLETE = Buffer.from('C\0\0\0\u000dSELECT 0\0');

/**
 * Reports a loss as a single `close`, immediately, after whole messages only. With Node's usual `error` then `close`,
 * the driver keeps queries sent in between and answers them on the next connection with rows of other queries
 * (driver issue 1215); it also sends unwritten bytes before the next startup message, adds the rows of an incomplete
 * response to the next one, and takes the server's last error for a response. So this socket drops leftover bytes
 * and that last error, and ends the row count with a CommandComplete message. Before the server is ready an `error`
 * does come first: without it the driver would reconnect forever.
 */
class ReconnectSafeSocket extends EventEmitter {
  readonly #inner: Duplex;
  readonly #frame = createMessageFramer();
  #started = false;
  #ready = false;
  #lost = false;
  #cause: Error | undefined;
  /** Answers that the server owes. */
  #due = 0;
  #silentSince: number | undefined;

  constructor(inner: Duplex) {
    super();
    this.#inner = inner;
    inner.on('data', (bytes: Buffer) => this.#receive(bytes));
    inner.on('error', (error: Error) => {
      this.#cause = error;
      this.#lose();
    });
    inner.on('end', () => this.#lose());
    inner.on('close', () => this.#lose());
  }

  get readyState(): 'open' | 'closed' {
    return this.#lost ? 'closed' : 'open';
  }

  /** Since when the server has owed an answer without sending anything, as `performance.now()`. */
  get silentSince(): number | undefined {
    return this.#silentSince;
  }

  /**
   * Always returns true. On false, the driver does not reserve the connection for the transaction it has just started
   * on it, and rejects that transaction (UNSAFE_TRANSACTION).
   */
  write(bytes: Buffer, done?: () => void): true {
    if (this.#lost) return true;
    const messages = this.#started ? bytes : withoutLeftovers(bytes);
    // The server answers a cancel request by closing, which is not a loss.
    if (!this.#started && isCancelRequest(messages)) this.#ready = true;
    this.#started = true;
    this.#due += countQueries(messages);
    if (this.#due > 0) this.#silentSince ??= performance.now();
    this.#inner.write(messages, done);
    return true;
  }

  end(bytes: Buffer): void {
    if (!this.#lost) this.#inner.end(bytes);
  }

  destroy(): void {
    this.#lose();
  }

  pause(): void {
    this.#silentSince = undefined;
    this.#inner.pause();
  }

  resume(): void {
    if (this.#due > 0) this.#silentSince = performance.now();
    this.#inner.resume();
  }

  #receive(chunk: Buffer): void {
    const { bytes, last, answers } = this.#frame(chunk);
    this.#due = Math.max(0, this.#due - answers);
    this.#silentSince = this.#due > 0 ? performance.now() : undefined;
    const lastMessage = bytes.subarray(last);
    const delivered = this.#ready && isFatalError(lastMessage) ? bytes.subarray(0, last) : bytes;
    this.#ready ||= lastMessage[0] === READY_FOR_QUERY;
    if (delivered.length > 0) this.emit('data', delivered);
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#silentSince = undefined;
    this.#inner.destroy();
    if (this.#ready) this.emit('data', COMMAND_COMPLETE);
    else if (this.listenerCount('error') > 0) this.emit('error', this.#cause ?? new ConnectionLost());
    this.emit('close', false);
  }
}

const ERROR = 'E'.charCodeAt(0);

const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/** How many of the driver's messages the server answers with ReadyForQuery. The startup message has no type byte. */
function countQueries(messages: Buffer): number {
  let queries = 0;
  let at = 0;
  while (at + 5 <= messages.length) {
    const type = messages[at];
    if (type === 0) {
      if (!isCancelRequest(messages.subarray(at))) queries++;
      at += messages.readUInt32BE(at);
    } else {
      if (type === SYNC || type === QUERY) queries++;
      at += 1 + messages.readUInt32BE(at + 1);
    }
  }
  return queries;
}

/** An error after which the server closes the connection. */
function isFatalError(message: Buffer): boolean {
  return message[0] === ERROR && /\0V(FATAL|PANIC)\0/.test(message.toString('latin1'));
}

/** Drops the messages before the startup message, the only one without a type byte: it begins with a zero. */
function withoutLeftovers(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length > 5 && rest[0] !== 0) rest = rest.subarray(1 + rest.readUInt32BE(1));
  return rest;
}

function isCancelRequest(message: Buffer): boolean {
  return message.length === 16 && message.readUInt32BE(4) === 80877102;
}

class ConnectionLost extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('the connection to the database was lost before it was ready');
  }
}
