/** Some whole messages of a server, and where among them the last one begins. */
export type WholeMessages = { readonly bytes: Buffer; readonly last: number };

/** Holds back what a server has said of a message until all of it is there. */
export function createWholeMessages(): (chunk: Buffer) => WholeMessages {
  let held: Buffer[] = [];
  let heldSize = 0;
  /** How much must be there before it is worth looking. */
  let wanted = 5;

  return (chunk) => {
    held.push(chunk);
    heldSize += chunk.length;
    if (heldSize < wanted) return { bytes: chunk.subarray(0, 0), last: 0 };

    const all = held.length === 1 ? chunk : Buffer.concat(held);
    let last = 0;
    let end = 0;
    let next = endOfMessage(all, 0);
    while (next <= all.length) {
      last = end;
      end = next;
      next = endOfMessage(all, end);
    }
    const rest = all.subarray(end);
    held = rest.length > 0 ? [rest] : [];
    heldSize = rest.length;
    wanted = Number.isFinite(next) ? next - end : 5;
    return { bytes: all.subarray(0, end), last };
  };
}

/** Infinity when not even the length is there. */
function endOfMessage(bytes: Buffer, start: number): number {
  return start + 5 <= bytes.length ? start + 1 + bytes.readUInt32BE(start + 1) : Number.POSITIVE_INFINITY;
}
