/** Request codes in place of a startup message's protocol version. */
export const STARTUP = { cancel: 80877102, ssl: 80877103, gss: 80877104 } as const;

export type FrontendMessage =
  | { readonly kind: 'startup'; readonly code: number; readonly bytes: Buffer }
  | { readonly kind: 'message'; readonly type: string; readonly bytes: Buffer };

export type BackendMessage = { readonly type: string; readonly bytes: Buffer };

export type WireError = {
  readonly severity: 'ERROR' | 'FATAL';
  readonly code: string;
  readonly message: string;
  readonly hint: string;
};

/** `I` idle, `T` in a transaction, `E` in a failed transaction. */
export type TransactionStatus = 'I' | 'T' | 'E';

/**
 * Splits a client's byte stream into messages; chunks may end anywhere.
 * Throws RangeError on an impossible length, which means that the stream is not PostgreSQL's protocol.
 */
export function createFrontendReader(): (chunk: Buffer) => FrontendMessage[] {
  const chunks: Buffer[] = [];
  let size = 0;
  let started = false;

  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    const messages: FrontendMessage[] = [];
    for (let next = cut(); next; next = cut()) messages.push(next);
    return messages;
  };

  function cut(): FrontendMessage | undefined {
    const header = started ? 5 : 8;
    if (size < header) return undefined;
    const length = frameLength(joined(header), started);
    if (size < length) return undefined;
    const all = joined(size);
    const bytes = all.subarray(0, length);
    chunks.splice(0, chunks.length, all.subarray(length));
    size -= length;
    if (started) return { kind: 'message', type: String.fromCharCode(bytes.readUInt8(0)), bytes };
    const code = bytes.readUInt32BE(4);
    started = code !== STARTUP.ssl && code !== STARTUP.gss;
    return { kind: 'startup', code, bytes };
  }

  /** Returns at least the first `wanted` bytes in one buffer. Joins the chunks of a large message only once. */
  function joined(wanted: number): Buffer {
    const [first] = chunks;
    if (first && first.length >= wanted) return first;
    const all = Buffer.concat(chunks);
    chunks.splice(0, chunks.length, all);
    return all;
  }
}

/** Splits a server's response into messages. It holds whole messages only, since a group runs to completion. */
export function readBackend(answer: Buffer): BackendMessage[] {
  const messages: BackendMessage[] = [];
  for (let at = 0; at < answer.length; ) {
    const end = at + 1 + answer.readUInt32BE(at + 1);
    messages.push({ type: String.fromCharCode(answer.readUInt8(at)), bytes: answer.subarray(at, end) });
    at = end;
  }
  return messages;
}

/** The statement's text in a Query or Parse message, and for a Parse the statement's name; undefined for other messages. */
export function readStatement(type: string, bytes: Buffer): { name: string; text: string } | undefined {
  if (type === 'Q') return { name: '', text: zeroEnded(bytes, 5) };
  if (type !== 'P') return undefined;
  return { name: zeroEnded(bytes, 5), text: zeroEnded(bytes, bytes.indexOf(0, 5) + 1) };
}

/** The name of the prepared statement in a Bind message. */
export function readBoundStatement(bytes: Buffer): string {
  return zeroEnded(bytes, bytes.indexOf(0, 5) + 1);
}

export const syncMessage = message('S');
export const queryMessage = (text: string): Buffer => message('Q', zero(text));
export const closeStatementMessage = (name: string): Buffer => message('C', 'S', zero(name));
export const readyForQuery = (status: TransactionStatus): Buffer => message('Z', status);

/** The first message of a client. */
export function startupMessage(parameters: Readonly<Record<string, string>>): Buffer {
  const pairs = Object.entries(parameters).map(([name, value]) => zero(name) + zero(value));
  const body = Buffer.from(`\0\u0003\0\0${pairs.join('')}\0`, 'latin1');
  return Buffer.concat([uint32(body.length + 4), body]);
}

export function backendKeyData(processId: number, secret: number): Buffer {
  return Buffer.concat([Buffer.from('K'), uint32(12), uint32(processId), uint32(secret)]);
}

export function errorResponse(error: WireError): Buffer {
  const fields = { S: error.severity, V: error.severity, C: error.code, M: error.message, H: error.hint };
  return message('E', ...Object.entries(fields).map(([field, text]) => field + zero(text)), '\0');
}

function message(type: string, ...parts: string[]): Buffer {
  const body = Buffer.from(parts.join(''));
  return Buffer.concat([Buffer.from(type), uint32(body.length + 4), body]);
}

function frameLength(bytes: Buffer, started: boolean): number {
  const length = started ? 1 + bytes.readUInt32BE(1) : bytes.readUInt32BE(0);
  const least = started ? 5 : 8;
  if (length < least || length > 0x4000_0000) throw new RangeError(`a message of ${length} bytes`);
  return length;
}

function zeroEnded(bytes: Buffer, from: number): string {
  return bytes.toString('utf8', from, bytes.indexOf(0, from));
}

function zero(text: string): string {
  return `${text}\0`;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
