import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import { Document, type TemplateKind, Variable } from './schema.ts';

export const TemplateRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['template', 'layout', 'partial']),
  description: z.string(),
  tags: z.array(z.string()),
  revision: z.number(),
  created_at: z.date(),
  updated_at: z.date(),
});
export type TemplateRow = z.output<typeof TemplateRow>;

/** A layout or partial a version uses, and the version it had when this one was saved. */
export const Use = z.object({
  kind: z.enum(['layout', 'partial']),
  name: z.string(),
  version_id: z.string(),
});
export type Use = z.output<typeof Use>;

const StoredVariable = Variable.extend({ declared: z.boolean() });

export const VersionRow = z.object({
  id: z.string(),
  template_id: z.string(),
  seq: z.number(),
  label: z.string(),
  branch: z.string(),
  parents: z.array(z.string()),
  content: z.string(),
  variables: z.array(StoredVariable),
  uses: z.array(Use),
  bump: z.string(),
  bump_reason: z.string(),
  message: z.string(),
  author: z.string(),
  rolled_back_from: z.string().nullable(),
  created_at: z.date(),
});
export type VersionRow = z.output<typeof VersionRow>;
export type NewVersion = Omit<VersionRow, 'created_at'>;

export const BranchRow = z.object({
  name: z.string(),
  head: z.string(),
  base: z.string(),
  description: z.string(),
  created_at: z.date(),
  merged_at: z.date().nullable(),
});
export type BranchRow = z.output<typeof BranchRow>;

const Node = z.object({ id: z.string(), label: z.string(), seq: z.number(), parents: z.array(z.string()) });

/** The SQL of templates, branches and versions. Every statement carries the account. */
export function createTemplateStore(sql: Sql | Tx) {
  return {
    async insertTemplate(
      accountId: string,
      row: { id: string; name: string; kind: TemplateKind; description: string; tags: string[] },
    ): Promise<boolean> {
      const inserted = await sql`
        insert into templates (id, account_id, name, kind, description, tags)
        values (${row.id}, ${accountId}, ${row.name}, ${row.kind}, ${row.description}, ${row.tags})
        on conflict do nothing returning id`;
      return inserted.length === 1;
    },

    async countTemplates(accountId: string): Promise<number> {
      const [row] = await sql`
        select count(*)::int as count from templates where account_id = ${accountId} and deleted_at is null`;
      return z.object({ count: z.number() }).parse(row).count;
    },

    async findTemplate(accountId: string, name: string): Promise<TemplateRow | undefined> {
      const [row] = await sql`
        select id, name, kind, description, tags, revision, created_at, updated_at
        from templates where account_id = ${accountId} and name = ${name} and deleted_at is null`;
      return row && TemplateRow.parse(row);
    },

    /** Holds every other writer of this template until the transaction ends. */
    async lockTemplate(accountId: string, name: string): Promise<TemplateRow | undefined> {
      const [row] = await sql`
        select id, name, kind, description, tags, revision, created_at, updated_at
        from templates where account_id = ${accountId} and name = ${name} and deleted_at is null for update`;
      return row && TemplateRow.parse(row);
    },

    async listTemplates(
      accountId: string,
      filter: {
        q: string | null;
        tag: string | null;
        kind: TemplateKind | null;
        after: string;
        limit: number;
      },
    ): Promise<TemplateRow[]> {
      const rows = await sql`
        select id, name, kind, description, tags, revision, created_at, updated_at
        from templates
        where account_id = ${accountId} and deleted_at is null and name > ${filter.after}
          and (${filter.q}::text is null or strpos(lower(name || ' ' || description), lower(${filter.q}::text)) > 0)
          and (${filter.tag}::text is null or ${filter.tag}::text = any (tags))
          and (${filter.kind}::text is null or kind = ${filter.kind}::text)
        order by name limit ${filter.limit}`;
      return z.array(TemplateRow).parse(rows);
    },

    /** The labels of the heads of main of the templates given. */
    async mainHeads(
      accountId: string,
      templateIds: readonly string[],
    ): Promise<{ template_id: string; label: string }[]> {
      const rows = await sql`
        select b.template_id, v.label from branches b join versions v on v.id = b.head
        where b.account_id = ${accountId} and b.name = 'main' and b.template_id = any (${[...templateIds]}::text[])`;
      return z.array(z.object({ template_id: z.string(), label: z.string() })).parse(rows);
    },

    async templateNames(accountId: string): Promise<string[]> {
      const rows = await sql`
        select name from templates where account_id = ${accountId} and deleted_at is null order by name limit 1000`;
      return rows.map((row) => z.string().parse(row['name']));
    },

    async changeMetadata(accountId: string, id: string, description: string, tags: string[]): Promise<void> {
      await sql`
        update templates set description = ${description}, tags = ${tags}
        where account_id = ${accountId} and id = ${id}`;
    },

    /** Marks a change a reader can see: the entity tag moves with it. */
    async touchTemplate(accountId: string, id: string): Promise<void> {
      await sql`
        update templates set revision = revision + 1, updated_at = now()
        where account_id = ${accountId} and id = ${id}`;
    },

    async markDeleted(accountId: string, id: string): Promise<void> {
      await sql`
        update templates set deleted_at = now(), revision = revision + 1
        where account_id = ${accountId} and id = ${id}`;
    },

    /** The template of that name deleted last, if that was in the last 30 days. */
    async findDeleted(accountId: string, name: string): Promise<string | undefined> {
      const [row] = await sql`
        select id from templates
        where account_id = ${accountId} and name = ${name} and deleted_at > now() - interval '30 days'
        order by deleted_at desc limit 1 for update`;
      return row && z.string().parse(row['id']);
    },

    async unmarkDeleted(accountId: string, id: string): Promise<void> {
      await sql`
        update templates set deleted_at = null, revision = revision + 1, updated_at = now()
        where account_id = ${accountId} and id = ${id}`;
    },

    /** Names of the templates whose branch heads or environments use `name` as a layout or partial. */
    async usersOf(accountId: string, name: string): Promise<string[]> {
      const rows = await sql`
        select distinct t.name
        from versions v
        join templates t on t.id = v.template_id and t.account_id = v.account_id and t.deleted_at is null
        where v.account_id = ${accountId} and t.name <> ${name}
          and (v.uses @> jsonb_build_array(jsonb_build_object('kind', 'layout', 'name', ${name}::text))
            or v.uses @> jsonb_build_array(jsonb_build_object('kind', 'partial', 'name', ${name}::text)))
          and (exists (select 1 from branches b where b.template_id = v.template_id and b.head = v.id)
            or exists (select 1 from pointers p where p.template_id = v.template_id and p.version_id = v.id))
        order by t.name limit 10`;
      return rows.map((row) => z.string().parse(row['name']));
    },

    async saveContent(accountId: string, sha256: string, document: Document): Promise<void> {
      // Where it exists already, writing it again keeps a purge from taking it before a version refers to it.
      await sql`
        insert into contents (account_id, sha256, document)
        values (${accountId}, ${sha256}, ${sql.json(document)})
        on conflict (account_id, sha256) do update set sha256 = excluded.sha256`;
    },

    async content(accountId: string, sha256: string): Promise<Document> {
      const [row] = await sql`
        select document from contents where account_id = ${accountId} and sha256 = ${sha256}`;
      return Document.parse(row?.['document']);
    },

    async insertVersion(accountId: string, row: NewVersion): Promise<void> {
      await sql`
        insert into versions (id, account_id, template_id, seq, label, branch, parents, content, variables, uses,
          bump, bump_reason, message, author, rolled_back_from)
        values (${row.id}, ${accountId}, ${row.template_id}, ${row.seq}, ${row.label}, ${row.branch},
          ${row.parents}, ${row.content}, ${sql.json(row.variables)}, ${sql.json(row.uses)}, ${row.bump},
          ${row.bump_reason}, ${row.message}, ${row.author}, ${row.rolled_back_from})`;
    },

    async versionById(accountId: string, id: string): Promise<VersionRow | undefined> {
      const [row] = await sql`
        select id, template_id, seq, label, branch, parents, content, variables, uses, bump, bump_reason, message,
          author, rolled_back_from, created_at
        from versions where account_id = ${accountId} and id = ${id}`;
      return row && VersionRow.parse(row);
    },

    async versionByLabel(
      accountId: string,
      templateId: string,
      label: string,
    ): Promise<VersionRow | undefined> {
      const [row] = await sql`
        select id, template_id, seq, label, branch, parents, content, variables, uses, bump, bump_reason, message,
          author, rolled_back_from, created_at
        from versions where account_id = ${accountId} and template_id = ${templateId} and label = ${label}`;
      return row && VersionRow.parse(row);
    },

    /** The newest version of each content whose hash begins with `prefix`, at most two. */
    async versionsByHash(accountId: string, templateId: string, prefix: string): Promise<VersionRow[]> {
      const rows = await sql`
        select distinct on (content) id, template_id, seq, label, branch, parents, content, variables, uses, bump,
          bump_reason, message, author, rolled_back_from, created_at
        from versions
        where account_id = ${accountId} and template_id = ${templateId} and starts_with(content, ${prefix})
        order by content, seq desc limit 2`;
      return z.array(VersionRow).parse(rows);
    },

    async listVersions(
      accountId: string,
      templateId: string,
      filter: { branch: string | null; before: number; limit: number },
    ): Promise<VersionRow[]> {
      const rows = await sql`
        select id, template_id, seq, label, branch, parents, content, variables, uses, bump, bump_reason, message,
          author, rolled_back_from, created_at
        from versions
        where account_id = ${accountId} and template_id = ${templateId} and seq < ${filter.before}
          and (${filter.branch}::text is null or branch = ${filter.branch}::text)
        order by seq desc limit ${filter.limit}`;
      return z.array(VersionRow).parse(rows);
    },

    /** Every version of a template as far as its place among the others goes. */
    async history(accountId: string, templateId: string): Promise<Map<string, z.output<typeof Node>>> {
      const rows = await sql`
        select id, label, seq, parents from versions
        where account_id = ${accountId} and template_id = ${templateId} order by seq`;
      return new Map(
        z
          .array(Node)
          .parse(rows)
          .map((node) => [node.id, node]),
      );
    },

    async branch(accountId: string, templateId: string, name: string): Promise<BranchRow | undefined> {
      const [row] = await sql`
        select name, head, base, description, created_at, merged_at
        from branches where account_id = ${accountId} and template_id = ${templateId} and name = ${name}`;
      return row && BranchRow.parse(row);
    },

    async listBranches(accountId: string, templateId: string): Promise<BranchRow[]> {
      const rows = await sql`
        select name, head, base, description, created_at, merged_at
        from branches where account_id = ${accountId} and template_id = ${templateId}
        order by name = 'main' desc, name`;
      return z.array(BranchRow).parse(rows);
    },

    async insertBranch(
      accountId: string,
      templateId: string,
      row: { name: string; head: string; base: string; description: string },
    ): Promise<boolean> {
      const inserted = await sql`
        insert into branches (account_id, template_id, name, head, base, description)
        values (${accountId}, ${templateId}, ${row.name}, ${row.head}, ${row.base}, ${row.description})
        on conflict do nothing returning name`;
      return inserted.length === 1;
    },

    async moveBranch(accountId: string, templateId: string, name: string, head: string): Promise<void> {
      await sql`
        update branches set head = ${head}
        where account_id = ${accountId} and template_id = ${templateId} and name = ${name}`;
    },

    async markMerged(accountId: string, templateId: string, name: string): Promise<void> {
      await sql`
        update branches set merged_at = now()
        where account_id = ${accountId} and template_id = ${templateId} and name = ${name}`;
    },

    async deleteBranch(accountId: string, templateId: string, name: string): Promise<void> {
      await sql`
        delete from branches
        where account_id = ${accountId} and template_id = ${templateId} and name = ${name}`;
    },

    /** Tells every node, once the transaction commits, that what the account's templates show has changed. */
    async announce(accountId: string): Promise<void> {
      await sql`select pg_notify('templates', ${accountId})`;
    },
  };
}
