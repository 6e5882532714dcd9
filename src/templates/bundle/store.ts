import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { Data, Document } from '../schema.ts';
import { BranchRow, type NewVersion, TemplateRow, VersionRow } from '../store.ts';

const KeptTemplate = TemplateRow.omit({ revision: true });
export type KeptTemplate = z.output<typeof KeptTemplate>;

const KeptVersion = VersionRow.omit({ seq: true, variables: true });
export type KeptVersion = z.output<typeof KeptVersion>;

const KeptBranch = BranchRow.extend({ template_id: z.string() });
export type KeptBranch = z.output<typeof KeptBranch>;

const KeptFixture = z.object({ template_id: z.string(), name: z.string(), data: Data });

/** The SQL of bundles: everything of many templates at once, and rows written with the times they had. */
export function createBundleStore(sql: Sql | Tx) {
  return {
    /** All templates, or those named; at most `limit`. */
    async templates(
      accountId: string,
      names: readonly string[] | null,
      limit: number,
    ): Promise<KeptTemplate[]> {
      const rows = await sql`
        select id, name, kind, description, tags, created_at, updated_at from templates
        where account_id = ${accountId} and deleted_at is null
          and (${names ? [...names] : null}::text[] is null or name = any (${names ? [...names] : null}::text[]))
        order by name limit ${limit}`;
      return z.array(KeptTemplate).parse(rows);
    },

    /** Oldest first within each template. */
    async versions(accountId: string, templateIds: readonly string[]): Promise<KeptVersion[]> {
      const rows = await sql`
        select id, template_id, label, branch, parents, content, uses, bump, bump_reason, message, author,
          rolled_back_from, created_at
        from versions where account_id = ${accountId} and template_id = any (${[...templateIds]}::text[])
        order by template_id, seq`;
      return z.array(KeptVersion).parse(rows);
    },

    async branches(accountId: string, templateIds: readonly string[]): Promise<KeptBranch[]> {
      const rows = await sql`
        select template_id, name, head, base, description, created_at, merged_at
        from branches where account_id = ${accountId} and template_id = any (${[...templateIds]}::text[])`;
      return z.array(KeptBranch).parse(rows);
    },

    async fixtures(accountId: string, templateIds: readonly string[]) {
      const rows = await sql`
        select template_id, name, data from fixtures
        where account_id = ${accountId} and template_id = any (${[...templateIds]}::text[])`;
      return z.array(KeptFixture).parse(rows);
    },

    /** About how many bytes the contents and fixtures of the templates have together. */
    async bytes(accountId: string, templateIds: readonly string[]): Promise<number> {
      const [row] = await sql`
        select (select coalesce(sum(octet_length(c.document::text)), 0) from contents c
            where c.account_id = ${accountId} and c.sha256 in (select v.content from versions v
              where v.account_id = ${accountId} and v.template_id = any (${[...templateIds]}::text[])))::float8
          + (select coalesce(sum(octet_length(f.data::text)), 0) from fixtures f
            where f.account_id = ${accountId} and f.template_id = any (${[...templateIds]}::text[]))::float8
          as bytes`;
      return z.object({ bytes: z.number() }).parse(row).bytes;
    },

    async contents(accountId: string, hashes: readonly string[]): Promise<Map<string, Document>> {
      const rows = await sql`
        select sha256, document from contents
        where account_id = ${accountId} and sha256 = any (${[...hashes]}::text[])`;
      const parsed = z.array(z.object({ sha256: z.string(), document: Document })).parse(rows);
      return new Map(parsed.map(({ sha256, document }) => [sha256, document]));
    },

    /** False when the name is taken. */
    async restoreTemplate(
      accountId: string,
      row: Omit<KeptTemplate, 'created_at' | 'updated_at'> & { created_at: string; updated_at: string },
    ): Promise<boolean> {
      const inserted = await sql`
        insert into templates (id, account_id, name, kind, description, tags, created_at, updated_at)
        values (${row.id}, ${accountId}, ${row.name}, ${row.kind}, ${row.description}, ${row.tags},
          ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz)
        on conflict do nothing returning id`;
      return inserted.length === 1;
    },

    async restoreVersion(accountId: string, row: NewVersion & { created_at: string }): Promise<void> {
      await sql`
        insert into versions (id, account_id, template_id, seq, label, branch, parents, content, variables, uses,
          bump, bump_reason, message, author, rolled_back_from, created_at)
        values (${row.id}, ${accountId}, ${row.template_id}, ${row.seq}, ${row.label}, ${row.branch},
          ${row.parents}, ${row.content}, ${sql.json(row.variables)}, ${sql.json(row.uses)}, ${row.bump},
          ${row.bump_reason}, ${row.message}, ${row.author}, ${row.rolled_back_from},
          ${row.created_at}::timestamptz)`;
    },

    async restoreBranch(
      accountId: string,
      row: Omit<KeptBranch, 'created_at' | 'merged_at'> & { created_at: string; merged_at: string | null },
    ): Promise<void> {
      await sql`
        insert into branches (account_id, template_id, name, head, base, description, created_at, merged_at)
        values (${accountId}, ${row.template_id}, ${row.name}, ${row.head}, ${row.base}, ${row.description},
          ${row.created_at}::timestamptz, ${row.merged_at}::timestamptz)`;
    },
  };
}
