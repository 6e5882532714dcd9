import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statementHeads } from '../../../src/platform/database/statement-heads.ts';

test.each<[string, string[]]>([
  ['select 1', ['select']],
  ['COPY t FROM STDIN', ['copy t from stdin']],
  ['  \n\tcopy t from stdin', ['copy t from stdin']],
  ['-- a comment\ncopy t to stdout', ['copy t to stdout']],
  ['/* one /* in */ another */ copy t to stdout', ['copy t to stdout']],
  ['/* never closed copy t', []],
  [';;copy t to stdout', ['copy t to stdout']],
  ['select 1; copy t to stdout', ['select', 'copy t to stdout']],
  ["select ';copy t' ; copy u to stdout", ['select', 'copy u to stdout']],
  ["select 'it''s; copy t'", ['select']],
  ["select e'\\'; copy t'", ['select']],
  ["select '\\'; copy t to stdout", ['select', 'copy t to stdout']],
  ['select $$; copy t$$', ['select']],
  ['select $a$; $$ copy t; $a$; copy u to stdout', ['select', 'copy u to stdout']],
  ['select a$b$c; copy t to stdout', ['select a$b$c', 'copy t to stdout']],
  ['select "; copy t""; copy u"', ['select']],
  ['select $1; copy t to stdout', ['select', 'copy t to stdout']],
  ['insert into copy values (1)', ['insert into copy values']],
  ['"copy" t from stdin', []],
  ['set local statement_timeout = 0', ['set local statement_timeout']],
  ['listen "events"', ['listen']],
])('%j begins with %j', (text, heads) => {
  expect(statementHeads(text)).toEqual(heads);
});

test('a COPY is found behind any comments, blanks, and finished statements', () => {
  const before = fc.array(
    fc.constantFrom(
      ' ',
      '\n',
      '-- x\n',
      "-- it's\n",
      '/* ; */',
      '/* /* $$ */ */',
      ';',
      "select ';';",
      'select $a$;$a$;',
    ),
  );
  fc.assert(
    fc.property(before, (parts) => {
      expect(statementHeads(`${parts.join('')}COPY t FROM STDIN`).at(-1)).toBe('copy t from stdin');
    }),
  );
});

test('any text at all is read to its end', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(statementHeads(`${text}`)).toBeInstanceOf(Array);
    }),
  );
});
