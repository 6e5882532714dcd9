/**
 * How near two pictures of equal size are, by their samples of 8 bits.
 * @returns decibels: Infinity when they are equal, above 40 for differences that nobody sees
 */
export function psnr(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) throw new RangeError(`${one.length} samples beside ${other.length}`);
  let squares = 0;
  for (let at = 0; at < one.length; at++) squares += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2;
  return 10 * Math.log10((255 ** 2 * one.length) / squares);
}
