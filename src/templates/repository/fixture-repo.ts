import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { Data } from '../schema.ts';

const FixtureRow = z.object({ name: z.string(), data: Data, created_at: z.date(), updated_at: z.date() });
export type FixtureRow = z.output<typeof FixtureRow>;

export async function saveFixture(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
  name: string,
  data: Data,
): Promise<FixtureRow> {
  const [row] = await sql`
    insert into fixtures (account_id, template_id, name, data)
    values (${accountId}, ${templateId}, ${name}, ${sql.json(data)})
    on conflict (template_id, name) do update set data = excluded.data, updated_at = now()
    returning name, data, created_at, updated_at`;
  return FixtureRow.parse(row);
}

export async function selectFixture(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
  name: string,
): Promise<FixtureRow | undefined> {
  const [row] = await sql`
    select name, data, created_at, updated_at from fixtures
    where account_id = ${accountId} and template_id = ${templateId} and name = ${name}`;
  return row && FixtureRow.parse(row);
}

export async function listFixtures(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
): Promise<FixtureRow[]> {
  const rows = await sql`
    select name, data, created_at, updated_at from fixtures
    where account_id = ${accountId} and template_id = ${templateId} order by name limit 200`;
  return z.array(FixtureRow).parse(rows);
}

export async function deleteFixture(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
  name: string,
): Promise<boolean> {
  const deleted = await sql`
    delete from fixtures
    where account_id = ${accountId} and template_id = ${templateId} and name = ${name} returning name`;
  return deleted.length === 1;
}
