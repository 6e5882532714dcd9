import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { emitEvent } from '../../platform/outbox.ts';
import { Variable } from '../schema.ts';

export const BranchRow = z.object({
  name: z.string(),
  head: z.string(),
  base: z.string(),
  description: z.string(),
  created_at: z.date(),
  merged_at: z.date().nullable(),
});
export type BranchRow = z.output<typeof BranchRow>;

export async function selectBranch(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
  name: string,
): Promise<BranchRow | undefined> {
  const [row] = await sql`
    select name, head, base, description, created_at, merged_at
    from branches where account_id = ${accountId} and template_id = ${templateId} and name = ${name}`;
  return row && BranchRow.parse(row);
}

/** main first, then by name. */
export async function listBranches(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
): Promise<BranchRow[]> {
  const rows = await sql`
    select name, head, base, description, created_at, merged_at
    from branches where account_id = ${accountId} and template_id = ${templateId}
    order by name = 'main' desc, name`;
  return z.array(BranchRow).parse(rows);
}

/** The labels of the heads of main of the given templates. */
export async function mainHeads(
  sql: Sql | Tx,
  accountId: string,
  templateIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql`
    select b.template_id, v.label from branches b join versions v on v.id = b.head
    where b.account_id = ${accountId} and b.name = 'main' and b.template_id = any (${[...templateIds]}::text[])`;
  const heads = z.array(z.object({ template_id: z.string(), label: z.string() })).parse(rows);
  return new Map(heads.map(({ template_id, label }) => [template_id, label]));
}

const BranchState = z.object({
  head: z.string(),
  /** The greatest `seq` of the template's versions. */
  last_seq: z.number(),
  /** The greatest number of a draft label with the branch's slug; 0 when there is none. */
  last_draft: z.number(),
  releases: z.array(
    z.object({ label: z.string(), variables: z.array(Variable.extend({ declared: z.boolean() })) }),
  ),
});
/** Where a branch is, and what the next version on it needs to be named. */
export type BranchState = z.output<typeof BranchState>;

/**
 * `releases` are the nearest releases among the head and its ancestors. Releases rise along a history, so one of these
 * is the greatest, and the walk does not go behind them. @param slug Null on main, whose versions are no drafts
 */
export async function branchState(
  tx: Tx,
  accountId: string,
  templateId: string,
  { name, slug }: { name: string; slug: string | null },
): Promise<BranchState | undefined> {
  const [row] = await tx`
    with recursive line as (
      select v.id, v.label, v.parents
      from branches b join versions v on v.id = b.head
      where b.account_id = ${accountId} and b.template_id = ${templateId} and b.name = ${name}
      union
      select v.id, v.label, v.parents
      from line l join versions v on v.id = any (l.parents)
      where strpos(l.label, '-') > 0
    )
    select b.head,
      (select max(v.seq) from versions v
        where v.account_id = ${accountId} and v.template_id = ${templateId}) as last_seq,
      (select coalesce(max(substring(v.label from
          '^v[0-9]+[.][0-9]+[.][0-9]+-' || ${slug}::text || '[.]([0-9]+)$')::int), 0) from versions v
        where ${slug}::text is not null and v.account_id = ${accountId} and v.template_id = ${templateId}
        ) as last_draft,
      (select coalesce(jsonb_agg(jsonb_build_object('label', v.label, 'variables', v.variables)), '[]')
        from line l join versions v on v.id = l.id where strpos(l.label, '-') = 0) as releases
    from branches b
    where b.account_id = ${accountId} and b.template_id = ${templateId} and b.name = ${name}`;
  return row && BranchState.parse(row);
}

/** False when the name is taken. */
export async function insertBranch(
  tx: Tx,
  accountId: string,
  templateId: string,
  row: { name: string; head: string; base: string; description: string },
): Promise<boolean> {
  const inserted = await tx`
    insert into branches (account_id, template_id, name, head, base, description)
    values (${accountId}, ${templateId}, ${row.name}, ${row.head}, ${row.base}, ${row.description})
    on conflict do nothing returning name`;
  return inserted.length === 1;
}

export async function markMerged(tx: Tx, accountId: string, templateId: string, name: string): Promise<void> {
  await tx`
    update branches set merged_at = now()
    where account_id = ${accountId} and template_id = ${templateId} and name = ${name}`;
}

/** Tells webhooks of a merge. */
export async function announceMerge(
  tx: Tx,
  accountId: string,
  news: Readonly<Record<'template' | 'branch' | 'into' | 'version' | 'previous' | 'actor', string>>,
): Promise<void> {
  await emitEvent(tx, accountId, { type: 'branch.merged', data: news });
}

export async function deleteBranch(
  tx: Tx,
  accountId: string,
  templateId: string,
  name: string,
): Promise<void> {
  await tx`
    delete from branches
    where account_id = ${accountId} and template_id = ${templateId} and name = ${name}`;
}
