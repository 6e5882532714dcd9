// NAL units: the parts of an H.264 stream. Within them `00 00 03` stands for `00 00` where what follows would look like the
// start of the next one (7.4.1).

const ESCAPED = Buffer.from([0, 0, 3]);
const ZEROS = ESCAPED.subarray(0, 2);
const ESCAPE = ESCAPED.subarray(2);

export function unescapeUnit(unit: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = unit.indexOf(ESCAPED); at >= 0; at = unit.indexOf(ESCAPED, from)) {
    parts.push(unit.subarray(from, at + 2));
    from = at + 3;
  }
  return parts.length === 0 ? unit : Buffer.concat([...parts, unit.subarray(from)]);
}

export function escapeUnit(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  let at = bytes.indexOf(ZEROS);
  while (at >= 0) {
    const next = at + 2;
    const mustEscape = (bytes[next] ?? 0) <= 3;
    if (mustEscape) {
      parts.push(bytes.subarray(from, next), ESCAPE);
      from = next;
    }
    // The second zero may be the first of two.
    at = bytes.indexOf(ZEROS, mustEscape ? next : at + 1);
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
}

/** The units of a packet of MP4, each after its length in so many bytes. */
export function splitUnits(packet: Uint8Array, lengthBytes: number): Buffer[] {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  const units: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + lengthBytes;
    const end = start + bytes.readUIntBE(at, lengthBytes);
    if (end > bytes.length) throw new Error('a packet of the video is cut');
    units.push(bytes.subarray(start, end));
    at = end;
  }
  return units;
}

export function joinUnits(units: readonly Buffer[], lengthBytes: number): Buffer {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(lengthBytes);
      length.writeUIntBE(unit.length, 0, lengthBytes);
      return [length, unit];
    }),
  );
}
