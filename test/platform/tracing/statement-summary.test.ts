import { expect, test } from 'vitest';
import { summarize } from '../../../src/platform/tracing/statement-summary.ts';

test.each([
  ['select id from jobs where account_id = ?', 'select jobs'],
  ['  select 1 as one', 'select undefined'],
  ['insert into audit_events (id) values (?)', 'insert audit_events'],
  ['insert into usage (id) values (?) on conflict (id) do update set count = 1', 'insert usage'],
  ['delete from files where id = ?', 'delete files'],
  ['update only jobs set status = ?', 'update jobs'],
  ['update videos as v set status = ?', 'update videos'],
  ['select id from jobs for update skip locked', 'select jobs'],
  ['select extract(epoch from now()) as at from nodes', 'select nodes'],
  [
    'with changed as (\n update jobs set a = ? returning id)\nselect pg_notify(?, id) from changed',
    'update jobs',
  ],
  [
    'with old as (select id from files) delete from "blobs" where id in (select id from old)',
    'delete "blobs"',
  ],
  ["select 'delete from secrets' from pgboss.job", 'select pgboss.job'],
  ['-- update secrets set a = 1\nselect id from jobs', 'select jobs'],
  [
    'select (select count(*) from pointers) as n from templates t join versions v on v.id = t.id',
    'select templates',
  ],
  [
    'select w.n from unnest(?::text[]) with ordinality as w (n) left join templates t on t.id = w.n',
    'select templates',
  ],
  ['with head as (select id from branches) select id from head', 'select branches'],
  ['begin', 'begin undefined'],
  ["'only a text'", 'statement undefined'],
])('%s', (text, summary) => {
  const { operation, table } = summarize(text);
  expect(`${operation} ${table}`).toBe(summary);
});

test('what is written into a statement stays out', () => {
  const { operation, table } = summarize(
    `select * from accounts where email = 'ana@shop.example' and pin = 1234`,
  );
  expect({ operation, table }).toEqual({ operation: 'select', table: 'accounts' });
});
