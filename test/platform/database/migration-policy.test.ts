import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { migrationFaults } from './migration-faults.ts';

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));
/** Those before were written when no release had to keep working beside them. */
const FIRST_BOUND = '0021';

const bound = readdirSync(FOLDER).filter((file) => file.endsWith('.sql') && file >= FIRST_BOUND);

test.each(bound)('the release before can work on the schema after %s', (file) => {
  expect(migrationFaults(readFileSync(`${FOLDER}${file}`, 'utf8'))).toEqual([]);
});

test('there is a migration to hold to it', () => {
  expect(bound.length).toBeGreaterThan(0);
});

test.each([
  'drop table videos',
  'DROP VIEW active_accounts',
  'alter table videos drop column title',
  'alter table videos rename column title to name',
  'alter table videos rename to films',
  'alter table videos alter column fps type bigint',
  'alter table videos alter fps set data type bigint',
  'alter table videos alter column title set not null',
  'alter table videos add column label text not null',
  'alter table videos add column if not exists label text not null',
  'alter table videos add check (fps > 0)',
  'alter table videos add constraint fps_positive check (fps > 0)',
  'alter table videos add constraint owner foreign key (account_id) references accounts (id)',
  'alter table videos add unique (title)',
  'create index videos_title on videos (title)',
  'create unique index videos_title on videos (title)',
  "update videos set title = ''",
  'delete from videos',
  'lock table videos',
])('refused: %s', (statement) => {
  expect(migrationFaults(`${statement};`)).toEqual([expect.stringContaining(statement.toLowerCase())]);
});

test.each([
  'create table notes (id text primary key, body text not null); create index notes_body on notes (body)',
  'create table notes (id text); alter table notes add check (id <> $$a$$)',
  'alter table videos add column label text',
  "alter table videos add column label text not null default ''",
  'alter table videos add constraint fps_positive check (fps > 0) not valid',
  'alter table videos add constraint titles unique using index videos_title',
  "comment on table videos is 'drop table videos; update videos'",
  '-- drop table videos;\nselect 1',
  'create function f() returns void language sql as $$ delete from videos; update videos set fps = 1 $$',
])('allowed: %s', (statement) => {
  expect(migrationFaults(statement)).toEqual([]);
});
