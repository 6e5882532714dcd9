import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { i420WasmFile } from '../../../src/videos/frames/i420/build.ts';
import { I420_WASM } from '../../../src/videos/frames/i420/i420-wasm.ts';

type Picture = {
  readonly width: number;
  readonly height: number;
  /** Bytes of a line. */
  readonly stride: number;
  readonly blueFirst: boolean;
  readonly bytes: Uint8Array;
};

// Only the types of a browser know it.
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  instantiate(
    code: Uint8Array,
    imports: unknown,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

const memory = new WebAssembly.Memory({ initial: 4 });
const { instance } = await WebAssembly.instantiate(Buffer.from(I420_WASM, 'base64'), { env: { memory } });
// Its type says no more than that it can be called.
const convert = instance.exports['convert'] as (...numbers: number[]) => void;

test('the compiled converter matches its source', async () => {
  const path = new URL('../../../src/videos/frames/i420/i420-wasm.ts', import.meta.url);
  expect(await i420WasmFile()).toBe(await readFile(path, 'utf8'));
});

test('colors are converted as BT.709 in limited range', () => {
  const shown = Object.entries({
    black: [0, 0, 0],
    white: [255, 255, 255],
    grey: [128, 128, 128],
    red: [255, 0, 0],
    green: [0, 255, 0],
    blue: [0, 0, 255],
  }).map(([name, pixel]) => [name, ...ofOneColour(pixel)]);
  expect(shown).toEqual([
    ['black', 16, 128, 128],
    ['white', 235, 128, 128],
    ['grey', 126, 128, 128],
    ['red', 63, 102, 240],
    ['green', 173, 42, 26],
    ['blue', 32, 240, 118],
  ]);
});

test('every image is converted as the reference does, to the byte, for any size, stride and order', () => {
  fc.assert(
    fc.property(pictures(), (picture) => {
      expect(converted(picture)).toEqual(reference(picture));
    }),
    { numRuns: 300 },
  );
});

function ofOneColour(pixel: number[]): number[] {
  const bytes = Uint8Array.from({ length: 8 * 2 * 4 }, (_, at) => pixel[at % 4] ?? 0);
  const planes = converted({ width: 8, height: 2, stride: 32, blueFirst: false, bytes });
  return [0, 16, 20].map((at) => planes[at] ?? -1);
}

function pictures(): fc.Arbitrary<Picture> {
  return fc
    .record({
      width: fc.integer({ min: 4, max: 45 }).map((half) => half * 2),
      height: fc.integer({ min: 1, max: 9 }).map((half) => half * 2),
      gap: fc.integer({ min: 0, max: 9 }),
      blueFirst: fc.boolean(),
      seed: fc.integer(),
      extreme: fc.boolean(),
    })
    .map(({ width, height, gap, seed, extreme, ...rest }) => {
      const stride = width * 4 + gap;
      return { ...rest, width, height, stride, bytes: noise(stride * height, seed, extreme) };
    });
}

function noise(length: number, seed: number, extreme: boolean): Uint8Array {
  let state = seed | 0;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    const byte = state >>> 24;
    return extreme ? (byte > 127 ? 255 : 0) : byte;
  });
}

function converted({ width, height, stride, blueFirst, bytes }: Picture): Uint8Array {
  const target = bytes.length + 3;
  const size = (width * height * 3) / 2;
  new Uint8Array(memory.buffer).fill(0xee);
  new Uint8Array(memory.buffer).set(bytes);
  convert(0, stride, width, height, Number(blueFirst), target);
  const after = new Uint8Array(memory.buffer, target + size, 16);
  expect(after.every((byte) => byte === 0xee)).toBe(true);
  return new Uint8Array(memory.buffer.slice(target, target + size));
}

function reference({ width, height, stride, blueFirst, bytes }: Picture): Uint8Array {
  const planes = new Uint8Array((width * height * 3) / 2);
  const colour = (x: number, y: number) => {
    const [first = 0, green = 0, last = 0] = bytes.subarray(y * stride + x * 4);
    return blueFirst ? [last, green, first] : [first, green, last];
  };
  const weigh = ([red = 0, green = 0, blue = 0]: number[], [byRed = 0, byGreen = 0, byBlue = 0]: number[]) =>
    red * byRed + green * byGreen + blue * byBlue;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      planes[y * width + x] = Math.floor(weigh(colour(x, y), [5983, 20127, 2032]) / 2 ** 15 + 16.5);
    }
  }
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const four = [colour(x, y), colour(x + 1, y), colour(x, y + 1), colour(x + 1, y + 1)];
      const sum = [0, 1, 2].map((at) => four.reduce((total, pixel) => total + (pixel[at] ?? 0), 0));
      const at = width * height + (y / 2) * (width / 2) + x / 2;
      planes[at] = Math.floor(weigh(sum, [-3298, -11094, 14392]) / 2 ** 17 + 128.5);
      planes[at + (width * height) / 4] = Math.floor(weigh(sum, [14392, -13072, -1320]) / 2 ** 17 + 128.5);
    }
  }
  return planes;
}
