import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM = 13;

/** A prefixed, opaque, time-ordered id: `tpl_` + 9 characters of time + 13 random ones (65 bits). */
export function newId(prefix: string, now = Date.now()): string {
  let id = '';
  for (let rest = now, i = 0; i < 9; i++, rest = Math.floor(rest / 32)) id = ALPHABET.charAt(rest % 32) + id;
  for (const byte of pool.take(RANDOM)) id += ALPHABET.charAt(byte % 32);
  return `${prefix}_${id}`;
}

// Every request has an id, and asking the system for a few bytes costs as much as asking for some thousand.
const pool = {
  bytes: Buffer.alloc(0),
  take(count: number): Buffer {
    if (this.bytes.length < count) this.bytes = randomBytes(4096);
    const taken = this.bytes.subarray(0, count);
    this.bytes = this.bytes.subarray(count);
    return taken;
  },
};
