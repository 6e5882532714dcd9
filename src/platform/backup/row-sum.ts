import { createHash } from 'node:crypto';

const MODULUS = 2n ** 256n;

/** Identifies a set of rows in any order: their number, and the sum of their SHA-256 modulo 2^256 in hex. */
export function createRowSum() {
  let rows = 0;
  let sum = 0n;
  return {
    add(row: string): void {
      rows++;
      sum = (sum + BigInt(`0x${createHash('sha256').update(row).digest('hex')}`)) % MODULUS;
    },
    result: () => ({ rows, sum: sum.toString(16).padStart(64, '0') }),
  };
}
