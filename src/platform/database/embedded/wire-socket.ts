import { Duplex } from 'node:stream';
import { createGroupReader, type MessageGroup } from './message-group.ts';
import { COPY_REFUSED, IDLE_TOO_LONG, REFUSALS } from './refusals.ts';
import { TurnRefused } from './turns.ts';
import {
  type BackendMessage,
  backendKeyData,
  createFrontendReader,
  errorResponse,
  type FrontendMessage,
  readBackend,
  readyForQuery,
  STARTUP,
  type TransactionStatus,
} from './wire.ts';

/** What a socket asks of the bridge that joins it to the one session. */
export type SocketHost = {
  readonly greeting: Buffer;
  /** How long a client may hold the session without a word, in milliseconds. */
  readonly idleMs: number;
  readonly statementMs: number;
  /** Rejects with TurnRefused. */
  take(socket: WireSocket): Promise<void>;
  give(socket: WireSocket): void;
  /** Runs a group to its end; stops it after `limitMs`. */
  run(group: Buffer, limitMs: number): Promise<Buffer>;
  notify(notification: Buffer): void;
  cancel(processId: number, secret: number): void;
  /** The socket is gone: gives back what it held. `named` are the statements it left in the session. */
  leave(socket: WireSocket, work: Promise<void>, named: readonly string[]): void;
};

/** One client's end of the session: takes the bytes of PostgreSQL's protocol, answers in it. */
export class WireSocket extends Duplex {
  readonly processId: number;
  readonly secret: number;
  listening = false;
  readonly #host: SocketHost;
  readonly #read = createFrontendReader();
  readonly #groups = createGroupReader();
  #status: TransactionStatus = 'I';
  /** After a refused group that ended in Flush, everything up to Sync is to be dropped. */
  #skipping = false;
  #limitMs: number;
  #idle: NodeJS.Timeout | undefined;
  #work = Promise.resolve();

  constructor(host: SocketHost, key: { processId: number; secret: number }) {
    super();
    this.#host = host;
    this.#limitMs = host.statementMs;
    this.processId = key.processId;
    this.secret = key.secret;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    // Never answers before the write has returned: the driver would lose what it writes in reply.
    this.#work = Promise.resolve()
      .then(() => this.#receive(chunk))
      .then(() => done(), done);
  }

  override _final(done: () => void): void {
    done();
    this.destroy();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle);
    this.#host.leave(this, this.#work, this.#groups.names());
    done(error);
  }

  async #receive(chunk: Buffer): Promise<void> {
    for (const message of this.#read(chunk)) {
      if (this.destroyed) return;
      if (message.kind === 'startup') this.#start(message);
      else await this.#handle(message.type, message.bytes);
    }
  }

  #start({ code, bytes }: FrontendMessage & { kind: 'startup' }): void {
    if (code === STARTUP.ssl || code === STARTUP.gss) {
      this.push('N');
      return;
    }
    if (code === STARTUP.cancel) {
      this.#host.cancel(bytes.readUInt32BE(8), bytes.readUInt32BE(12));
      this.destroy();
      return;
    }
    const key = backendKeyData(this.processId, this.secret);
    this.push(Buffer.concat([this.#host.greeting, key, readyForQuery('I')]));
  }

  async #handle(type: string, bytes: Buffer): Promise<void> {
    if (type === 'X') {
      this.destroy();
      return;
    }
    if (this.#skipping) {
      if (type === 'S') this.push(readyForQuery(this.#status));
      this.#skipping = type !== 'S';
      return;
    }
    const group = this.#groups.add(type, bytes);
    if (group) await this.#run(group);
  }

  async #run(group: MessageGroup): Promise<void> {
    try {
      await this.#host.take(this);
    } catch (error) {
      if (!(error instanceof TurnRefused)) throw error;
      this.#skipping = group.end === 'H';
      this.push(errorResponse(REFUSALS[error.reason]));
      if (!this.#skipping) this.push(readyForQuery('I'));
      return;
    }
    clearTimeout(this.#idle);
    const answer = await this.#host.run(group.copies ? COPY_REFUSED : group.bytes, this.#limitMs);
    this.#skipping = group.copies && group.end === 'H';
    this.listening ||= group.listens && !group.copies;
    this.#deliver(readBackend(answer), group);
  }

  #deliver(answer: readonly BackendMessage[], group: MessageGroup): void {
    const own = answer.filter(({ type }) => type !== 'A' && !(type === 'Z' && this.#skipping));
    if (own.length > 0) this.push(Buffer.concat(own.map(({ bytes }) => bytes)));
    for (const { type, bytes } of answer) if (type === 'A') this.#host.notify(bytes);

    const ready = answer.findLast(({ type }) => type === 'Z');
    // The server knows these three letters only.
    if (ready) this.#status = ready.bytes.toString('latin1', 5) as TransactionStatus;
    if (ready && this.#status === 'I') {
      this.#limitMs = this.#host.statementMs;
      this.#host.give(this);
      return;
    }
    this.#limitMs = group.statementMs ?? this.#limitMs;
    this.#idle = setTimeout(() => this.#expire(), this.#host.idleMs).unref();
  }

  #expire(): void {
    this.push(errorResponse(IDLE_TOO_LONG));
    this.destroy();
  }
}
