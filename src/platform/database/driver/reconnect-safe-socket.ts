import { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import { createWholeMessages } from './message-framer.ts';

/**
 * A connection for the driver (postgres 3.4.9), steady where the driver is not. One that cannot be made is one that
 * is lost at once: what is rejected, the driver takes from its pool for good.
 */
export async function steadySocket(open: () => Promise<Duplex>): Promise<SteadySocket> {
  try {
    return new SteadySocket(await open());
  } catch (error) {
    const none = new Duplex({ read() {}, write() {} });
    setImmediate(() => none.destroy(error instanceof Error ? error : new ConnectionLost()));
    return new SteadySocket(none);
  }
}

const COMMAND_COMPLETE = Buffer.from('C\0\0\0\u000dSELECT 0\0');

/**
 * Tells of a loss in the one way the driver survives. Told as usual, by `error` and then by `close`, queries sent in
 * between are kept and answered over the next connection with what belongs to others (driver issue 1215), bytes not
 * yet written go before the next greeting, the rows of a broken answer are counted into the next one, and so is the
 * server's farewell taken for an answer. So a loss is told by `close` alone and at once, after whole messages only and an
 * end to the count; leftovers and farewell are dropped. Before the server is ready, when there is nothing to lose,
 * an `error` comes first: without it the driver would try again for ever.
 */
class SteadySocket extends EventEmitter {
  readonly #inner: Duplex;
  readonly #wholeMessages = createWholeMessages();
  #greeted = false;
  #ready = false;
  #lost = false;
  #cause: Error | undefined;

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

  /**
   * Always true: told to wait, the driver does not reserve a connection for the transaction it has just begun on it, and
   * refuses that transaction (UNSAFE_TRANSACTION).
   */
  write(bytes: Buffer, done?: () => void): true {
    if (this.#lost) return true;
    const messages = this.#greeted ? bytes : withoutLeftovers(bytes);
    // It is answered by closing, which is no loss.
    if (!this.#greeted && isCancelRequest(messages)) this.#ready = true;
    this.#greeted = true;
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
    this.#inner.pause();
  }

  resume(): void {
    this.#inner.resume();
  }

  #receive(chunk: Buffer): void {
    const { bytes, last } = this.#wholeMessages(chunk);
    const ending = bytes.subarray(last);
    const told = this.#ready && isFarewell(ending) ? bytes.subarray(0, last) : bytes;
    this.#ready ||= ending[0] === READY_FOR_QUERY;
    if (told.length > 0) this.emit('data', told);
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#inner.destroy();
    if (this.#ready) this.emit('data', COMMAND_COMPLETE);
    else if (this.listenerCount('error') > 0) this.emit('error', this.#cause ?? new ConnectionLost());
    this.emit('close', false);
  }
}

const READY_FOR_QUERY = 'Z'.charCodeAt(0);
const ERROR = 'E'.charCodeAt(0);

/** An error after which the server hangs up. */
function isFarewell(message: Buffer): boolean {
  return message[0] === ERROR && /\0V(FATAL|PANIC)\0/.test(message.toString('latin1'));
}

/** A connection begins with a message without a type, so with a zero. Whole messages may stand before it. */
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
