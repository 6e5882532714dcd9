/** Whole messages of a server. */
export type FramedMessages = {
  readonly bytes: Buffer;
  /** Offset of the last one. */
  readonly last: number;
  /** How many of them are ReadyForQuery, which ends the answer to a query. */
  readonly answers: number;
};

export const READY_FOR_QUERY = 'Z'.charCodeAt(0);

/** Buffers an incomplete message until the rest of it arrives. */
export function createMessageFramer(): (chunk: Buffer) => FramedMessages {
  let buffered: Buffer[] = [];
  let bufferedBytes = 0;
  /** Bytes that the next message needs at least. */
  let needed = 5;

  return (chunk) => {
    buffered.push(chunk);
    bufferedBytes += chunk.length;
    if (bufferedBytes < needed) return { bytes: chunk.subarray(0, 0), last: 0, answers: 0 };

    const all = buffered.length === 1 ? chunk : Buffer.concat(buffered);
    let last = 0;
    let end = 0;
    let answers = 0;
    let next = endOfMessage(all, 0);
    while (next <= all.length) {
      if (all[end] === READY_FOR_QUERY) answers++;
      last = end;
      end = next;
      next = endOfMessage(all, end);
    }
    const rest = all.subarray(end);
    buffered = rest.length > 0 ? [rest] : [];
    bufferedBytes = rest.length;
    needed = Number.isFinite(next) ? next - end : 5;
    return { bytes: all.subarray(0, end), last, answers };
  };
}

/** Infinity when the length field itself is incomplete. */
function endOfMessage(bytes: Buffer, start: number): number {
  return start + 5 <= bytes.length ? start + 1 + bytes.readUInt32BE(start + 1) : Number.POSITIVE_INFINITY;
}
