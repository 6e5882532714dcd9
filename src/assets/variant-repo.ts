import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

const Spec = z.object({ sha256: z.string(), spec: z.string() });
export type VariantName = z.output<typeof Spec>;

export async function hasVariant(
  sql: Sql,
  accountId: string,
  { sha256, spec }: VariantName,
): Promise<boolean> {
  const rows = await sql`
    select 1 from asset_variants
    where account_id = ${accountId} and sha256 = ${sha256} and spec = ${spec}`;
  return rows.length > 0;
}

export async function insertVariant(
  sql: Sql,
  accountId: string,
  { sha256, spec }: VariantName,
  bytes: number,
): Promise<void> {
  // The content may have been removed while the variant was made.
  await sql`
    insert into asset_variants (account_id, sha256, spec, bytes)
    select c.account_id, c.sha256, ${spec}, ${bytes} from asset_contents c
    where c.account_id = ${accountId} and c.sha256 = ${sha256}
    on conflict do nothing`;
}

/** Deletes the oldest beyond so many of one content, or beyond so many bytes of the account; says which. */
export async function deleteExcess(
  sql: Sql,
  accountId: string,
  most: { readonly ofContent: number; readonly bytes: number },
): Promise<VariantName[]> {
  const rows = await sql`
    delete from asset_variants v using (
      select sha256, spec,
        row_number() over (partition by sha256 order by created_at desc, spec) as place,
        sum(bytes) over (order by created_at desc, sha256, spec) as total
      from asset_variants where account_id = ${accountId}) ranked
    where v.account_id = ${accountId} and v.sha256 = ranked.sha256 and v.spec = ranked.spec
      and (ranked.place > ${most.ofContent} or ranked.total > ${most.bytes})
    returning v.sha256, v.spec`;
  return z.array(Spec).parse([...rows]);
}

export async function variantsOf(sql: Sql, accountId: string): Promise<VariantName[]> {
  const rows = await sql`select sha256, spec from asset_variants where account_id = ${accountId}`;
  return z.array(Spec).parse([...rows]);
}
