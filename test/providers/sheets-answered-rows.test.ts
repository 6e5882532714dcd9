import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answeredRows } from '../../src/providers/sheets/answered-rows.ts';
import { samples } from '../support/samples.ts';

const rowsOf = (json: string) => [...answeredRows(Buffer.from(json))];

const cell = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => Buffer.from(text).toString()),
  fc.constantFrom('', '"', '\\', '],[', '"values":[[1]]', 'Größe'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.boolean(),
);

test('whatever the cells are, the rows are those of the JSON without empty cells and rows at the ends', () => {
  const answer = fc.record({ range: cell, values: fc.array(fc.array(cell)) });
  fc.assert(
    fc.property(answer, fc.constantFrom(undefined, 2, '\t'), fc.nat(3_000), (given, indent, more) => {
      const values = [...given.values, ...Array.from({ length: more }, (_, row) => [`SKU-${row}`, row, ''])];
      const rows = answeredRows(Buffer.from(JSON.stringify({ ...given, values }, null, indent)));
      const trimmed = values.map((row) => row.slice(0, row.findLastIndex((one) => one !== '') + 1));
      const expected = trimmed.slice(0, trimmed.findLastIndex((row) => row.length > 0) + 1);
      expect([...rows]).toEqual(expected);
      expect([...rows], 'a second time').toEqual(expected);
      expect(rows.length).toBe(expected.length);
    }),
    { numRuns: samples(40, 10) },
  );
});

test('an answer without values, and one with none in it, has no rows', () => {
  expect(rowsOf('{"range":"Sheet1!A1:Z1000","majorDimension":"ROWS"}')).toEqual([]);
  expect(rowsOf('{"values" : [ ] }')).toEqual([]);
});

test('only the values of the answer itself are taken', () => {
  expect(rowsOf('{"other":{"values":[[1]]},"range":"\\"values\\":[[2]]","values":[[3]]}')).toEqual([[3]]);
});

describe('what is not in its documented form is no answer', () => {
  test.each([
    '',
    '[]',
    'null',
    '<html>',
    '{"values":null}',
    '{"values":[1]}',
    '{"values":[[1],]}',
    '{"values":[[1] [2]]}',
    '{"values":[[1],2]}',
    '{"values":[[null]]}',
    '{"values":[[[1]]]}',
    '{"values":[[{"a":1}]]}',
    '{"values":[[1,]]}',
    '{"values":[["a]]}',
    '{"values":[[1]]',
    '{"values":[[1]',
    '{"values":[[1]]}}',
  ])('%s', (json) => {
    expect(() => answeredRows(Buffer.from(json))).toThrow(expect.objectContaining({ kind: 'lost' }));
  });
});
