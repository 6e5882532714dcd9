import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import { BrandFields } from './brand.ts';

const BrandRow = z.object({
  name: z.string(),
  fields: BrandFields,
  version: z.number(),
  updated_at: z.date(),
});
export type BrandRow = z.output<typeof BrandRow>;

/** Until the transaction ends, no other one changes a brand of the account. */
export async function lockBrands(tx: Tx, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('brands ' || ${accountId}::text, 0))`;
}

/** Ordered by name. */
export async function listBrands(sql: Sql | Tx, accountId: string): Promise<BrandRow[]> {
  const rows = await sql`
    select name, fields, version, updated_at from brands where account_id = ${accountId} order by name`;
  return z.array(BrandRow).parse([...rows]);
}

type Written = Pick<BrandRow, 'name' | 'fields'> & { readonly actor: string };

/** Creates the brand, or changes it. Every node forgets the account's brands. */
export async function upsertBrand(
  tx: Tx,
  accountId: string,
  { name, fields, actor }: Written,
): Promise<BrandRow> {
  const [row] = await tx`
    insert into brands (account_id, name, fields, updated_by)
    values (${accountId}, ${name}, ${tx.json(fields)}, ${actor})
    on conflict (account_id, name) do update set fields = excluded.fields, version = brands.version + 1,
      updated_by = excluded.updated_by, updated_at = now()
    returning name, fields, version, updated_at`;
  await announce(tx, accountId);
  return BrandRow.parse(row);
}

export async function deleteBrand(tx: Tx, accountId: string, name: string): Promise<void> {
  await tx`delete from brands where account_id = ${accountId} and name = ${name}`;
  await announce(tx, accountId);
}

async function announce(tx: Tx, accountId: string): Promise<void> {
  await tx`select pg_notify('brands', ${accountId})`;
}
