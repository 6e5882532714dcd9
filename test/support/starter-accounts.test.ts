import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from './app.ts';
import { newStarterAccount } from './starter-accounts.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a copied account has in every table what the first one has, under ids of its own', async () => {
  const [first, copy] = [await newStarterAccount(app, 'first'), await newStarterAccount(app, 'copy')];
  const { sql } = app.database;
  const tables = await sql<{ table_name: string }[]>`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id' order by 1`;
  const counts = async (account: string) => {
    const counted = tables.map(async ({ table_name: table }) => {
      const [row] = await sql`select count(*)::int as n from ${sql(table)} where account_id = ${account}`;
      return [table, row?.['n']];
    });
    return Object.fromEntries(await Promise.all(counted));
  };
  expect(await counts(copy)).toEqual(await counts(first));
  expect(await counts(copy)).toMatchObject({ templates: 6, versions: 6, pointers: 12 });
  const names = async (account: string) =>
    (await app.templates.catalog.list(account, { limit: 10 })).items.map(({ name }) => name);
  expect(await names(copy)).toEqual(await names(first));
  const ids = await sql`select id from templates where account_id in ${sql([first, copy])}`;
  expect(new Set(ids.map(({ id }) => id)).size).toBe(12);
});
