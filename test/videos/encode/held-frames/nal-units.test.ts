import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  escapeUnit,
  joinUnits,
  splitUnits,
  unescapeUnit,
} from '../../../../src/videos/encode/held-frames/nal-units.ts';

/** Mostly bytes that need care. A unit does not end with a zero. */
const unit = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) }, fc.integer({ min: 5, max: 255 })))
  .map((bytes) => Buffer.from([...bytes, 0x80]));

test.each([
  [
    [0, 0, 0],
    [0, 0, 3, 0],
  ],
  [
    [0, 0, 1, 9],
    [0, 0, 3, 1, 9],
  ],
  [
    [0, 0, 0, 0, 0, 7],
    [0, 0, 3, 0, 0, 3, 0, 7],
  ],
  [
    [0, 0, 4],
    [0, 0, 4],
  ],
  [
    [1, 2, 3],
    [1, 2, 3],
  ],
])('%j is written as %j', (bytes, escaped) => {
  expect([...escapeUnit(Buffer.from(bytes))]).toEqual(escaped);
  expect([...unescapeUnit(Buffer.from(escaped))]).toEqual(bytes);
});

test('what is escaped looks nowhere like a start, and is read back', () => {
  fc.assert(
    fc.property(unit, (bytes) => {
      const escaped = escapeUnit(bytes);
      for (const start of [0, 1, 2]) expect(escaped.includes(Buffer.from([0, 0, start]))).toBe(false);
      expect(unescapeUnit(escaped)).toEqual(bytes);
    }),
  );
});

test('units are joined and split again; a packet that is cut is refused', () => {
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1 }), (units) => {
      const packet = joinUnits(units, 4);
      expect(splitUnits(packet, 4)).toEqual(units);
      expect(() => splitUnits(packet.subarray(0, -1), 4)).toThrow('a packet of the video is cut');
    }),
  );
});
