// Headers of H.264 (ITU-T H.264) are a few dozen bits of no fixed place, so here they are strings of `0` and `1`.

export type BitReader = {
  /** An unsigned number of so many bits. */
  bits(count: number): number;
  /** An unsigned number in Exp-Golomb code: ue(v), 9.1. */
  ue(): number;
  /** A signed one: se(v). */
  se(): number;
  /** Bits read so far. */
  position(): number;
};

export function readBits(text: string, start = 0): BitReader {
  let at = start;
  function bits(count: number): number {
    const taken = text.slice(at, at + count);
    if (taken.length < count) throw new Error('a header of the video ends too early');
    at += count;
    return count === 0 ? 0 : Number.parseInt(taken, 2);
  }
  function ue(): number {
    const zeros = text.indexOf('1', at) - at;
    if (zeros < 0) throw new Error('a header of the video ends too early');
    at += zeros;
    return bits(zeros + 1) - 1;
  }
  function se(): number {
    const code = ue();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
  return { bits, ue, se, position: () => at };
}

export function fixed(value: number, count: number): string {
  return value.toString(2).padStart(count, '0');
}

export function ue(value: number): string {
  const code = (value + 1).toString(2);
  return '0'.repeat(code.length - 1) + code;
}

export function se(value: number): string {
  return ue(value > 0 ? 2 * value - 1 : -2 * value);
}

export function bitsOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => fixed(byte, 8)).join('');
}

/** @param bits a multiple of eight */
export function bytesOf(bits: string): Buffer {
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Appends bits up to a multiple of eight. */
export function align(bits: string, filler: '0' | '1'): string {
  return bits.padEnd(Math.ceil(bits.length / 8) * 8, filler);
}
