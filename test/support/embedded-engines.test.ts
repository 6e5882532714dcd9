import { expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase, testServer } from './database.ts';

const state = async ({ sql }: TestDatabase) => ({
  accounts: await sql`select id from accounts order by id`,
  hooks: await sql`select seq from hooks`,
  counted:
    await sql`select sequencename from pg_sequences where schemaname = 'public' and last_value is not null`,
});

test.skipIf(testServer)('a database that was given back is as new for whoever takes it next', async () => {
  const first = await openTestDatabase();
  const asNew = await state(first);
  await first.sql`insert into accounts (id, name) values ('acc_test', 'test')`;
  await first.sql`select nextval(format('%I', sequencename)::regclass) from pg_sequences where schemaname = 'public'`;
  await first.sql`delete from accounts where id = 'acc_anonymous'`;
  await first.close();

  const second = await openTestDatabase();
  expect({ isSame: second.dataDir === first.dataDir, ...(await state(second)) }).toEqual({
    isSame: true,
    ...asNew,
  });
  await second.close();
});

test
  .skipIf(testServer)
  .each([
    'create table left_over (id int)',
    'alter table accounts alter column name drop not null',
    'create function left_over() returns int language sql as $$ select 1 $$',
  ])('one whose tables were changed is not given to anyone again: %s', async (change) => {
  const changed = await openTestDatabase();
  await changed.sql.unsafe(change);
  await changed.close();
  const next = await openTestDatabase();
  expect(next.dataDir).not.toBe(changed.dataDir);
  await next.close();
});
