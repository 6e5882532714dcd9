import type { Sql } from '../../platform/database/database.ts';

/** Statements over all accounts: what has been deleted for so long that nobody can restore it. */
export function createPurgeStore(sql: Sql) {
  return {
    /** Deletes templates 30 days after their deletion; a part that a living template was saved with stays for it. */
    async deleteTemplates(): Promise<number> {
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
    },

    /** Deletes contents no version holds. Fails, and changes nothing, when one of them is just being used again. */
    async deleteContents(): Promise<number> {
      const rows = await sql`
        delete from contents c
        where not exists (
          select from versions v where v.account_id = c.account_id and v.content = c.sha256)
        returning c.sha256`;
      return rows.length;
    },
  };
}
