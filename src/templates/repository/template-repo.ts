import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { TemplateKind } from '../schema.ts';

export const TemplateRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['template', 'layout', 'partial']),
  description: z.string(),
  tags: z.array(z.string()),
  revision: z.number(),
  created_at: z.coerce.date(),
  updated_at: z.coerce.date(),
});
export type TemplateRow = z.output<typeof TemplateRow>;

/** Undefined when the name is taken. */
export async function insertTemplate(
  sql: Sql | Tx,
  accountId: string,
  row: { id: string; name: string; kind: TemplateKind; description: string; tags: readonly string[] },
): Promise<TemplateRow | undefined> {
  const [inserted] = await sql`
    insert into templates (id, account_id, name, kind, description, tags)
    values (${row.id}, ${accountId}, ${row.name}, ${row.kind}, ${row.description}, ${[...row.tags]})
    on conflict do nothing
    returning id, name, kind, description, tags, revision, created_at, updated_at`;
  return inserted && TemplateRow.parse(inserted);
}

export async function countTemplates(sql: Sql | Tx, accountId: string): Promise<number> {
  const [row] = await sql`
    select count(*)::int as count from templates where account_id = ${accountId} and deleted_at is null`;
  return z.object({ count: z.number() }).parse(row).count;
}

export async function selectTemplate(
  sql: Sql | Tx,
  accountId: string,
  name: string,
): Promise<TemplateRow | undefined> {
  const [row] = await sql`
    select id, name, kind, description, tags, revision, created_at, updated_at
    from templates where account_id = ${accountId} and name = ${name} and deleted_at is null`;
  return row && TemplateRow.parse(row);
}

/** Blocks every other writer of this template until the transaction ends. */
export async function selectTemplateForUpdate(
  tx: Tx,
  accountId: string,
  name: string,
): Promise<TemplateRow | undefined> {
  const [row] = await tx`
    select id, name, kind, description, tags, revision, created_at, updated_at
    from templates where account_id = ${accountId} and name = ${name} and deleted_at is null for update`;
  return row && TemplateRow.parse(row);
}

type TemplateFilter = {
  readonly q: string | null;
  readonly tag: string | null;
  readonly kind: TemplateKind | null;
  /** A variable that it reads, itself or within: `order` is found for `order.total` and `order[].price`. */
  readonly variable: string | null;
  /** A layout or partial that it uses, itself or through others. */
  readonly uses: string | null;
  /** The name the page starts after. */
  readonly after: string;
  readonly limit: number;
};

/** What a template reads and uses is that of the versions its branches and environments are on. */
export async function listTemplates(
  sql: Sql | Tx,
  accountId: string,
  filter: TemplateFilter,
): Promise<TemplateRow[]> {
  const rows = await sql`
    with recursive parts (name) as (
      select ${filter.uses}::text
      union
      select user_of.name
      from parts
      join versions v on v.account_id = ${accountId}
        and v.uses @> jsonb_build_array(jsonb_build_object('name', parts.name))
      join templates user_of on user_of.id = v.template_id and user_of.deleted_at is null
        and user_of.kind <> 'template'
      where exists (select from branches b where b.template_id = v.template_id and b.head = v.id)
        or exists (select from pointers p where p.template_id = v.template_id and p.version_id = v.id))
    select id, name, kind, description, tags, revision, created_at, updated_at
    from templates t
    where account_id = ${accountId} and deleted_at is null and name > ${filter.after}
      and (${filter.q}::text is null
        or search_grams(account_id, name || ' ' || description) @> search_grams(${accountId}, ${filter.q}::text))
      and (${filter.q}::text is null or strpos(lower(name || ' ' || description), lower(${filter.q}::text)) > 0)
      and (${filter.tag}::text is null or ${filter.tag}::text = any (tags))
      and (${filter.kind}::text is null or kind = ${filter.kind}::text)
      and ((${filter.variable}::text is null and ${filter.uses}::text is null) or exists (
        select from versions v
        where v.account_id = ${accountId}
          and v.id in (
            select b.head from branches b where b.template_id = t.id
            union all select p.version_id from pointers p where p.template_id = t.id)
          and (${filter.uses}::text is null or exists (
            select from jsonb_array_elements(v.uses) part where part ->> 'name' in (select name from parts)))
          and (${filter.variable}::text is null or exists (
            select from jsonb_array_elements(v.variables) variable
            where variable ->> 'name' = ${filter.variable}::text
              or starts_with(variable ->> 'name', ${filter.variable}::text || '.')
              or starts_with(variable ->> 'name', ${filter.variable}::text || '[')))))
    order by name limit ${filter.limit}`;
  return z.array(TemplateRow).parse(rows);
}

/** The first 1,000 names, for suggestions. */
export async function templateNames(sql: Sql | Tx, accountId: string): Promise<string[]> {
  const rows = await sql`
    select name from templates where account_id = ${accountId} and deleted_at is null order by name limit 1000`;
  return rows.map((row) => z.string().parse(row['name']));
}

/** The first 1,000 names of layouts or of partials, for suggestions. */
export async function partNames(
  sql: Sql | Tx,
  accountId: string,
  kind: 'layout' | 'partial',
): Promise<string[]> {
  const rows = await sql`
    select name from templates
    where account_id = ${accountId} and kind = ${kind} and deleted_at is null order by name limit 1000`;
  return rows.map((row) => z.string().parse(row['name']));
}

/** Changes the metadata and returns the new revision. The entity tag is derived from it. */
export async function updateMetadata(
  tx: Tx,
  accountId: string,
  id: string,
  { description, tags }: { description: string; tags: readonly string[] },
): Promise<number> {
  const [row] = await tx`
    update templates
    set description = ${description}, tags = ${[...tags]}, revision = revision + 1, updated_at = now()
    where account_id = ${accountId} and id = ${id} returning revision`;
  return z.object({ revision: z.number() }).parse(row).revision;
}

/** Marks a change that readers can see: the entity tag changes with it. */
export async function touchTemplate(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx`
    update templates set revision = revision + 1, updated_at = now()
    where account_id = ${accountId} and id = ${id}`;
}

export async function markDeleted(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx`
    update templates set deleted_at = now(), revision = revision + 1
    where account_id = ${accountId} and id = ${id}`;
}

/** The template of that name deleted last, within the last 30 days; locked until the transaction ends. */
export async function selectDeleted(tx: Tx, accountId: string, name: string): Promise<string | undefined> {
  const [row] = await tx`
    select id from templates
    where account_id = ${accountId} and name = ${name} and deleted_at > now() - interval '30 days'
    order by deleted_at desc limit 1 for update`;
  return row && z.string().parse(row['id']);
}

export async function unmarkDeleted(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx`
    update templates set deleted_at = null, revision = revision + 1, updated_at = now()
    where account_id = ${accountId} and id = ${id}`;
}

/** Names of at most ten templates that use `name` as a layout or partial, on a branch or in an environment. */
export async function usersOf(sql: Sql | Tx, accountId: string, name: string): Promise<string[]> {
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
}

/** Notifies every node, once the transaction commits, that the account's templates have changed. */
export async function announceChange(tx: Tx, accountId: string): Promise<void> {
  await tx`select pg_notify('templates', ${accountId})`;
}

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
