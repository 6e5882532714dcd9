import { Duplex } from 'node:stream';
import { statementHeads } from '../statement-heads.ts';
import { IDLE_TIMEOUT_ERROR, LOCK_ERRORS, RAISE_COPY_ERROR, SessionLockError } from './session-lock.ts';
import {
  type BackendMessage,
  backendKeyData,
  createFrontendReader,
  errorResponse,
  type FrontendMessage,
  readBackend,
  readBoundStatement,
  readStatement,
  readyForQuery,
  STARTUP,
  type TransactionStatus,
} from './wire.ts';

/** What a socket needs from the bridge. */
export type SocketHost = {
  readonly greeting: Buffer;
  /** How long a client may hold the session without a query. */
  readonly idleTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** Rejects with SessionLockError. */
  acquire(socket: WireSocket): Promise<void>;
  release(socket: WireSocket): void;
  /** Runs a group to completion; its statements fail after `timeoutMs`. */
  run(group: Buffer, timeoutMs: number): Promise<Buffer>;
  notify(notification: Buffer): void;
  cancel(processId: number, secret: number): void;
  /** The socket has closed: releases what it held. `named` are its prepared statements. */
  leave(socket: WireSocket, work: Promise<void>, named: readonly string[]): void;
};

/** The server side of one client connection, in PostgreSQL's protocol. */
export class WireSocket extends Duplex {
  readonly processId: number;
  readonly secret: number;
  listening = false;
  readonly #host: SocketHost;
  readonly #read = createFrontendReader();
  readonly #groups = createGroupReader();
  #status: TransactionStatus = 'I';
  /** After a rejected group that ended in Flush, messages up to Sync are dropped. */
  #skipping = false;
  #timeoutMs: number;
  #idle: NodeJS.Timeout | undefined;
  #work = Promise.resolve();

  constructor(host: SocketHost, key: { processId: number; secret: number }) {
    super();
    this.#host = host;
    this.#timeoutMs = host.statementTimeoutMs;
    this.processId = key.processId;
    this.secret = key.secret;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    // Never respond before the write has returned: the driver would lose what it writes in reply.
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
      await this.#host.acquire(this);
    } catch (error) {
      if (!(error instanceof SessionLockError)) throw error;
      this.#skipping = group.end === 'H';
      this.push(errorResponse(LOCK_ERRORS[error.reason]));
      if (!this.#skipping) this.push(readyForQuery('I'));
      return;
    }
    clearTimeout(this.#idle);
    const answer = await this.#host.run(group.copies ? RAISE_COPY_ERROR : group.bytes, this.#timeoutMs);
    this.#skipping = group.copies && group.end === 'H';
    this.listening ||= group.listens && !group.copies;
    this.#deliver(readBackend(answer), group);
  }

  #deliver(answer: readonly BackendMessage[], group: MessageGroup): void {
    const own = answer.filter(({ type }) => type !== 'A' && !(type === 'Z' && this.#skipping));
    if (own.length > 0) this.push(Buffer.concat(own.map(({ bytes }) => bytes)));
    for (const { type, bytes } of answer) if (type === 'A') this.#host.notify(bytes);

    const ready = answer.findLast(({ type }) => type === 'Z');
    // The protocol defines only these three letters.
    if (ready) this.#status = ready.bytes.toString('latin1', 5) as TransactionStatus;
    if (ready && this.#status === 'I') {
      this.#timeoutMs = this.#host.statementTimeoutMs;
      this.#host.release(this);
      return;
    }
    this.#timeoutMs = group.statementTimeoutMs ?? this.#timeoutMs;
    this.#idle = setTimeout(() => this.#expire(), this.#host.idleTimeoutMs).unref();
  }

  #expire(): void {
    this.push(errorResponse(IDLE_TIMEOUT_ERROR));
    this.destroy();
  }
}

/** Messages that a client sends before it waits for a response. */
type MessageGroup = {
  readonly bytes: Buffer;
  /** `Q`, `S`, `H` or `F`. After `H` (Flush) the client continues the same protocol sequence, up to `S` (Sync). */
  readonly end: string;
  readonly copies: boolean;
  readonly listens: boolean;
  /** Timeout that it sets for the statements of its transaction, in milliseconds; Infinity for none. */
  readonly statementTimeoutMs: number | undefined;
};

type GroupReader = {
  /** Adds a message; returns the group if it is complete. */
  add(type: string, bytes: Buffer): MessageGroup | undefined;
  /** Names of the client's prepared statements. */
  names(): string[];
};

const GROUP_ENDS = 'QSHF';
const COPY_DATA = 'dcf';
const INSPECTED = /copy|listen|statement_timeout/i;

/** Groups one client's messages and tracks its prepared statements; keeps the text of those that need inspection. */
function createGroupReader(): GroupReader {
  const prepared = new Map<string, string | undefined>();
  let messages: Buffer[] = [];
  let texts: string[] = [];

  return { add, names: () => [...prepared.keys()] };

  function add(type: string, bytes: Buffer): MessageGroup | undefined {
    if (COPY_DATA.includes(type)) return undefined;
    messages.push(bytes);
    const text = textOf(type, bytes);
    if (text !== undefined) texts.push(text);
    if (!GROUP_ENDS.includes(type)) return undefined;

    const group = { bytes: Buffer.concat(messages), end: type, ...inspect(texts) };
    messages = [];
    texts = [];
    return group;
  }

  function textOf(type: string, bytes: Buffer): string | undefined {
    if (type === 'B') return prepared.get(readBoundStatement(bytes));
    const statement = readStatement(type, bytes);
    const text = statement && INSPECTED.test(statement.text) ? statement.text : undefined;
    if (statement?.name) prepared.set(statement.name, text);
    return text;
  }
}

function inspect(texts: readonly string[]): Pick<MessageGroup, 'copies' | 'listens' | 'statementTimeoutMs'> {
  const heads = texts.flatMap((text) => statementHeads(text));
  const limit = heads.includes('set local statement_timeout')
    ? texts.join('\n').match(/statement_timeout\s*(?:=|to)\s*'?(\d+)/i)?.[1]
    : undefined;
  return {
    copies: heads.some((head) => head.startsWith('copy')),
    listens: heads.some((head) => head.startsWith('listen')),
    statementTimeoutMs: limit === undefined ? undefined : Number(limit) || Number.POSITIVE_INFINITY,
  };
}
