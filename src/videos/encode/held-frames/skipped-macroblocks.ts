/**
 * The bits of a P slice in which every macroblock is skipped, in CABAC (9.3.4): for each macroblock the flag that it is skipped,
 * which is 1, and the flag that the slice ends, which is 0 but for the last. They begin at the quantizer
 * `SKIP_QUANTIZER`, at which "skipped" is the more probable value, and so it stays.
 */
export function skippedMacroblocks(count: number): string {
  let state = FIRST_STATE;
  let low = 0;
  let range = 510;
  let outstanding = 0;
  let isFirst = true;
  let bits = '';

  function put(bit: number): void {
    if (isFirst) isFirst = false;
    else bits += bit;
    bits += String(1 - bit).repeat(outstanding);
    outstanding = 0;
  }

  function renormalize(): void {
    while (range < 256) {
      if (low < 256) put(0);
      else if (low >= 512) {
        low -= 512;
        put(1);
      } else {
        low -= 256;
        outstanding++;
      }
      range *= 2;
      low *= 2;
    }
  }

  for (let macroblock = 1; macroblock <= count; macroblock++) {
    range -= LEAST_PROBABLE[state - FIRST_STATE]?.[(range >> 6) & 3] ?? 0;
    state = Math.min(state + 1, LAST_STATE);
    renormalize();
    range -= 2;
    if (macroblock < count) renormalize();
  }
  low += range;
  range = 2;
  renormalize();
  put((low >> 9) & 1);
  // The last bit ends the slice as well.
  return `${bits}${(low >> 8) & 1}1`;
}

/** Context 11 at `cabac_init_idc` 0: ((23 × 51) >> 4) + 33 = 106, which is state 42 of "1 is more probable" (9.3.1.1). */
export const SKIP_QUANTIZER = 51;
const FIRST_STATE = 42;
const LAST_STATE = 62;

/** `rangeTabLPS` from `FIRST_STATE` on (table 9-44). */
const LEAST_PROBABLE: readonly (readonly number[])[] = [
  [16, 20, 23, 27],
  [15, 19, 22, 25],
  [14, 18, 21, 24],
  [14, 17, 20, 23],
  [13, 16, 19, 22],
  [12, 15, 18, 21],
  [12, 14, 17, 20],
  [11, 14, 16, 19],
  [11, 13, 15, 18],
  [10, 12, 15, 17],
  [10, 12, 14, 16],
  [9, 11, 13, 15],
  [9, 11, 12, 14],
  [8, 10, 12, 14],
  [8, 9, 11, 13],
  [7, 9, 11, 12],
  [7, 9, 10, 12],
  [7, 8, 10, 11],
  [6, 8, 9, 11],
  [6, 7, 9, 10],
  [6, 7, 8, 9],
];
