// Pixels of four bytes to planes of Y, U and V: BT.709, limited range, a colour for each square of four pixels.
// AssemblyScript, compiled by build.ts. Coefficients have 15 bits of fraction; those of U and V add up to nothing, so
// that greys stay grey.

const Y_RED: i32 = 5983;
const Y_GREEN: i32 = 20127;
const Y_BLUE: i32 = 2032;
const U_RED: i32 = -3298;
const U_GREEN: i32 = -11094;
const U_BLUE: i32 = 14392;
const V_RED: i32 = 14392;
const V_GREEN: i32 = -13072;
const V_BLUE: i32 = -1320;

const STEP: i32 = 8;

/**
 * `source` is the first pixel, and lines are `stride` bytes apart; bytes of a pixel are red, green, blue, any, or with
 * `blueFirst` blue, green, red, any. Width and height are even, the width at least 8. The planes follow each other at
 * `target`, without gaps.
 */
export function convert(
  source: usize, stride: i32, width: i32, height: i32, blueFirst: bool, target: usize,
): void {
  const yOuter = coefficients(blueFirst, Y_RED, Y_BLUE), yGreen = i32x4.splat(Y_GREEN);
  const uOuter = coefficients(blueFirst, U_RED, U_BLUE), uGreen = i32x4.splat(U_GREEN & 0xffff);
  const vOuter = coefficients(blueFirst, V_RED, V_BLUE), vGreen = i32x4.splat(V_GREEN & 0xffff);
  const uPlane = target + width * height;
  const vPlane = uPlane + (width * height >> 2);
  const bytes = i16x8.splat(0xff), lowByte = i32x4.splat(0xff);
  // The sum of four pixels has two bits more.
  const middle = i32x4.splat((128 << 17) + (1 << 16));

  for (let y = 0; y < height; y += 2) {
    const line0 = source + y * stride, line1 = line0 + stride;
    const luma0 = target + y * width, luma1 = luma0 + width;
    const colour = (y >> 1) * (width >> 1);
    for (let next = 0; next < width; next += STEP) {
      // The last step begins earlier where the width is no multiple of it, and makes a few values again.
      const x = min(next, width - STEP);
      const a0 = v128.load(line0 + x * 4), a1 = v128.load(line0 + x * 4, 16);
      const b0 = v128.load(line1 + x * 4), b1 = v128.load(line1 + x * 4, 16);
      // Red and blue are the even bytes, green is the third of each four.
      const outerA0 = v128.and(a0, bytes), outerA1 = v128.and(a1, bytes);
      const outerB0 = v128.and(b0, bytes), outerB1 = v128.and(b1, bytes);
      const greenA0 = v128.and(i32x4.shr_u(a0, 8), lowByte), greenA1 = v128.and(i32x4.shr_u(a1, 8), lowByte);
      const greenB0 = v128.and(i32x4.shr_u(b0, 8), lowByte), greenB1 = v128.and(i32x4.shr_u(b1, 8), lowByte);

      v128.store64_lane(luma0 + x, luma(outerA0, outerA1, greenA0, greenA1, yOuter, yGreen), 0);
      v128.store64_lane(luma1 + x, luma(outerB0, outerB1, greenB0, greenB1, yOuter, yGreen), 0);

      const outer = pairs(i16x8.add(outerA0, outerB0), i16x8.add(outerA1, outerB1));
      const green = pairs(i16x8.add(greenA0, greenB0), i16x8.add(greenA1, greenB1));
      const u = i32x4.shr_s(i32x4.add(weigh(outer, green, uOuter, uGreen), middle), 17);
      const v = i32x4.shr_s(i32x4.add(weigh(outer, green, vOuter, vGreen), middle), 17);
      const both = i16x8.narrow_i32x4_s(u, v);
      const colours = i8x16.narrow_i16x8_u(both, both);
      v128.store32_lane(uPlane + colour + (x >> 1), colours, 0);
      v128.store32_lane(vPlane + colour + (x >> 1), colours, 1);
    }
  }
}

// @ts-ignore: decorator
@inline function coefficients(blueFirst: bool, red: i32, blue: i32): v128 {
  const first = blueFirst ? blue : red, last = blueFirst ? red : blue;
  return i32x4.splat((last << 16) | (first & 0xffff));
}

// @ts-ignore: decorator
@inline function weigh(outer: v128, green: v128, outerBy: v128, greenBy: v128): v128 {
  return i32x4.add(i32x4.dot_i16x8_s(outer, outerBy), i32x4.dot_i16x8_s(green, greenBy));
}

// @ts-ignore: decorator
@inline function luma(outer0: v128, outer1: v128, green0: v128, green1: v128, outerBy: v128, greenBy: v128): v128 {
  const black = i32x4.splat((16 << 15) + (1 << 14));
  const low = i32x4.shr_s(i32x4.add(weigh(outer0, green0, outerBy, greenBy), black), 15);
  const high = i32x4.shr_s(i32x4.add(weigh(outer1, green1, outerBy, greenBy), black), 15);
  const both = i16x8.narrow_i32x4_s(low, high);
  return i8x16.narrow_i16x8_u(both, both);
}

// Of eight pixels, the sum of each with its neighbour.
// @ts-ignore: decorator
@inline function pairs(low: v128, high: v128): v128 {
  const even = i32x4.shuffle(low, high, 0, 2, 4, 6);
  const odd = i32x4.shuffle(low, high, 1, 3, 5, 7);
  return i16x8.add(even, odd);
}
