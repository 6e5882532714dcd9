import type { Sql } from '../../platform/database.ts';

/** Permanently deletes, in all accounts, templates deleted 30 days ago or longer. Returns how many. */
export async function purgeTemplates(sql: Sql): Promise<number> {
  const templates = await deleteTemplates(sql);
  if (templates > 0) await deleteContents(sql);
  return templates;
}

/** A part that a living template was saved with stays, so that its versions render. */
async function deleteTemplates(sql: Sql): Promise<number> {
  const rows = await sql`
    delete from templates t
    where t.deleted_at < now() - interval '30 days'
      and not exists (
        select from versions v
        join templates user_of on user_of.id = v.template_id and user_of.deleted_at is null
        where v.account_id = t.account_id
          and v.uses @> jsonb_build_array(jsonb_build_object('kind', t.kind, 'name', t.name)))
    returning t.id`;
  return rows.length;
}

/** Deletes the contents that no version has. Fails, and changes nothing, when a new version starts to use one. */
async function deleteContents(sql: Sql): Promise<number> {
  const rows = await sql`
    delete from contents c
    where not exists (
      select from versions v where v.account_id = c.account_id and v.content = c.sha256)
    returning c.sha256`;
  return rows.length;
}
