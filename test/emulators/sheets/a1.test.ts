import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnName, parseA1, toA1, WHOLE } from '../../../src/emulators/sheets/a1.ts';

const OPEN = Infinity;

describe('A1 notation', () => {
  test.each([
    ['A1', undefined, { top: 0, left: 0, bottom: 1, right: 1 }],
    ['Sheet1!B2:C4', 'Sheet1', { top: 1, left: 1, bottom: 4, right: 3 }],
    ['Sheet1!A2:C', 'Sheet1', { top: 1, left: 0, bottom: OPEN, right: 3 }],
    ['Sheet1!5:7', 'Sheet1', { top: 4, left: 0, bottom: 7, right: OPEN }],
    ['Sheet1!A:A', 'Sheet1', { top: 0, left: 0, bottom: OPEN, right: 1 }],
    ['Sheet1', 'Sheet1', WHOLE],
    ["'A1'", 'A1', WHOLE],
    ["'It''s a/b!'!AA10", "It's a/b!", { top: 9, left: 26, bottom: 10, right: 27 }],
    ['Größe!A1', 'Größe', { top: 0, left: 0, bottom: 1, right: 1 }],
  ])('%s', (text, title, area) => {
    expect(parseA1(text)).toEqual({ title, area });
  });

  test.each(['Sheet1!', 'Sheet1!A0', 'Sheet1!A', "'open", 'a!b!A1', 'Sheet1!A1:B2:C3', ''])(
    '%s is none',
    (text) => {
      expect(parseA1(text)).toBeUndefined();
    },
  );

  test('reads back what it writes', () => {
    const place = fc.record({
      top: fc.nat(9_999),
      left: fc.nat(700),
      height: fc.integer({ min: 1, max: 99 }),
      width: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), place, (title, { top, left, height, width }) => {
        const area = { top, left, bottom: top + height, right: left + width };
        expect(parseA1(toA1(title, area))).toEqual({ title, area });
      }),
    );
  });

  test.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('column %i is %s', (column, name) => {
    expect(columnName(column)).toBe(name);
  });
});
