import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { Document, Variable } from '../schema.ts';
import { TemplateRow } from './template-repo.ts';

/** A layout or partial that a version uses, and the version it had when this one was saved. */
export const Use = z.object({
  kind: z.enum(['layout', 'partial']),
  name: z.string(),
  version_id: z.string(),
});
export type Use = z.output<typeof Use>;

export const VersionRow = z.object({
  id: z.string(),
  template_id: z.string(),
  seq: z.number(),
  label: z.string(),
  branch: z.string(),
  parents: z.array(z.string()),
  content: z.string(),
  variables: z.array(Variable.extend({ declared: z.boolean() })),
  uses: z.array(Use),
  bump: z.string(),
  bump_reason: z.string(),
  message: z.string(),
  author: z.string(),
  rolled_back_from: z.string().nullable(),
  created_at: z.coerce.date(),
});
export type VersionRow = z.output<typeof VersionRow>;
export type NewVersion = Omit<VersionRow, 'created_at'>;

/** `default` is the version production is on, or else the head of main. */
export type VersionSelector = {
  readonly by: 'branch' | 'environment' | 'label' | 'hash' | 'default' | 'nothing';
  /** The branch, environment, label or start of the content hash. */
  readonly value: string;
};

const SelectedVersion = z.object({
  template: TemplateRow,
  version: VersionRow.nullable(),
  document: Document.nullable(),
  in_production: z.boolean(),
  brand: z.unknown(),
});
export type SelectedVersion = z.output<typeof SelectedVersion>;

/**
 * A template with the version selected, and that version's content and the account's brand when asked for; undefined
 * without the template.
 * The version is null where the selector finds none, or, of a hash, several contents.
 */
export async function selectVersion(
  sql: Sql | Tx,
  accountId: string,
  name: string,
  { by, value }: VersionSelector,
  withContent: boolean,
): Promise<SelectedVersion | undefined> {
  const [row] = await sql`
    select to_jsonb(t) as template, to_jsonb(v) as version, c.document,
      exists (select from pointers p where p.template_id = t.id and p.environment = 'production') as in_production,
      case when ${withContent} then default_brand_fields(t.account_id) end as brand
    from templates t
    left join versions v on v.account_id = t.account_id and v.id = case ${by}
      when 'branch' then (select b.head from branches b where b.template_id = t.id and b.name = ${value})
      when 'environment' then (
        select p.version_id from pointers p where p.template_id = t.id and p.environment = ${value})
      when 'label' then (select o.id from versions o where o.template_id = t.id and o.label = ${value})
      when 'hash' then (
        select case when min(o.content) = max(o.content) then (array_agg(o.id order by o.seq desc))[1] end
        from versions o where o.template_id = t.id and starts_with(o.content, ${value}))
      when 'default' then coalesce(
        (select p.version_id from pointers p where p.template_id = t.id and p.environment = 'production'),
        (select b.head from branches b where b.template_id = t.id and b.name = 'main'))
      end
    left join contents c on ${withContent} and c.account_id = v.account_id and c.sha256 = v.content
    where t.account_id = ${accountId} and t.name = ${name} and t.deleted_at is null`;
  return row && SelectedVersion.parse(row);
}

/** A layout or partial to find. An `optional` one is left out when the account has none. */
export type PartRequest = {
  readonly kind: Use['kind'];
  readonly name: string;
  /** The version that the user of the part was saved with. */
  readonly pin: string | undefined;
  readonly optional: boolean;
};

/** Which version of a layout or partial to take. Pins are those of the version that uses it. */
export type PartChoice =
  | { readonly by: 'main' }
  | { readonly by: 'pins' }
  | { readonly by: 'environment'; readonly environment: string };

const PartRow = VersionRow.pick({ id: true, uses: true }).extend({ n: z.number(), document: Document });
export type PartRow = Omit<z.output<typeof PartRow>, 'n'>;

/**
 * The parts requested, in the same order, undefined where there is none. A part deleted since lives on in the versions
 * saved with it: except on main, its pin is taken, so that what was rendered can be rendered again.
 */
export async function selectParts(
  sql: Sql | Tx,
  accountId: string,
  requests: readonly PartRequest[],
  choice: PartChoice,
): Promise<(PartRow | undefined)[]> {
  const kinds = requests.map(({ kind }) => kind);
  const names = requests.map(({ name }) => name);
  const pins = requests.map(({ pin = null }) => (choice.by === 'pins' ? pin : null));
  // Where the part has been deleted.
  const fallbacks = requests.map(({ pin = null, optional }) =>
    choice.by === 'main' || optional ? null : pin,
  );
  const environment = choice.by === 'environment' ? choice.environment : null;
  const rows = await sql`
    select w.n::int, v.id, v.uses, c.document
    from unnest(${kinds}::text[], ${names}::text[], ${pins}::text[], ${fallbacks}::text[])
      with ordinality as w (kind, name, pin, fallback, n)
    left join templates t on t.account_id = ${accountId} and t.name = w.name and t.kind = w.kind
      and t.deleted_at is null
    left join pointers p on p.template_id = t.id and p.environment = ${environment}::text
    left join branches b on b.template_id = t.id and b.name = 'main'
    join versions v on v.account_id = ${accountId}
      and v.id = case when t.id is null then w.fallback else coalesce(w.pin, p.version_id, b.head) end
    join contents c on c.account_id = v.account_id and c.sha256 = v.content`;
  const found = new Map(
    z
      .array(PartRow)
      .parse(rows)
      .map(({ n, ...part }) => [n, part]),
  );
  return requests.map((_request, index) => found.get(index + 1));
}

export async function selectContent(sql: Sql | Tx, accountId: string, sha256: string): Promise<Document> {
  const [row] = await sql`
    select document from contents where account_id = ${accountId} and sha256 = ${sha256}`;
  return Document.parse(row?.['document']);
}

export async function saveContent(
  tx: Tx,
  accountId: string,
  sha256: string,
  document: Document,
): Promise<void> {
  // Where it exists already, writing it again keeps a purge from deleting it before a version refers to it.
  await tx`
    insert into contents (account_id, sha256, document)
    values (${accountId}, ${sha256}, ${tx.json(document)})
    on conflict (account_id, sha256) do update set sha256 = excluded.sha256`;
}

const Saved = z.object({ created_at: z.date(), revision: z.number() });

/**
 * Writes a version and its content, moves its branch to it (and creates main for the first version), and raises the
 * template's revision, except at the first version. `metadata` is left as it is where null.
 * Undefined, and only the content written, when the label is taken. Webhooks hear of it.
 */
export async function insertVersion(
  tx: Tx,
  accountId: string,
  row: NewVersion,
  document: Document,
  metadata: { description: string | null; tags: readonly string[] | null },
): Promise<z.output<typeof Saved> | undefined> {
  const [saved] = await tx`
    with content as (
      insert into contents (account_id, sha256, document)
      values (${accountId}, ${row.content}, ${tx.json(document)})
      on conflict (account_id, sha256) do update set sha256 = excluded.sha256
    ), version as (
      insert into versions (id, account_id, template_id, seq, label, branch, parents, content, variables, uses,
        bump, bump_reason, message, author, rolled_back_from)
      values (${row.id}, ${accountId}, ${row.template_id}, ${row.seq}, ${row.label}, ${row.branch},
        ${row.parents}, ${row.content}, ${tx.json(row.variables)}, ${tx.json(row.uses)}, ${row.bump},
        ${row.bump_reason}, ${row.message}, ${row.author}, ${row.rolled_back_from})
      on conflict (template_id, label) do nothing
      returning id, created_at
    ), branch as (
      insert into branches (account_id, template_id, name, head, base, description)
      select ${accountId}, ${row.template_id}, ${row.branch}, version.id, version.id, '' from version
      on conflict (template_id, name) do update set head = excluded.head
    ), template as (
      update templates t
      set revision = t.revision + ${row.parents.length > 0 ? 1 : 0}, updated_at = now(),
        description = coalesce(${metadata.description}, t.description),
        tags = coalesce(${metadata.tags && [...metadata.tags]}, t.tags)
      from version where t.account_id = ${accountId} and t.id = ${row.template_id}
      returning t.revision, t.name
    )
    select version.created_at, template.revision, emit_event(${accountId}, 'template.version.created',
      jsonb_build_object('template', template.name, 'version', ${row.label}::text, 'branch', ${row.branch}::text,
        'bump', ${row.bump}::text, 'message', ${row.message}::text, 'author', ${row.author}::text))
    from version, template`;
  return saved && Saved.parse(saved);
}

export async function versionById(
  sql: Sql | Tx,
  accountId: string,
  id: string,
): Promise<VersionRow | undefined> {
  const [row] = await sql`
    select id, template_id, seq, label, branch, parents, content, variables, uses, bump, bump_reason, message,
      author, rolled_back_from, created_at
    from versions where account_id = ${accountId} and id = ${id}`;
  return row && VersionRow.parse(row);
}

export async function versionByLabel(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
  label: string,
): Promise<VersionRow | undefined> {
  const [row] = await sql`
    select id, template_id, seq, label, branch, parents, content, variables, uses, bump, bump_reason, message,
      author, rolled_back_from, created_at
    from versions where account_id = ${accountId} and template_id = ${templateId} and label = ${label}`;
  return row && VersionRow.parse(row);
}

/** The ids of the newest version of each content whose hash starts with `prefix`, at most two. */
export async function versionsByHash(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
  prefix: string,
): Promise<string[]> {
  const rows = await sql`
    select distinct on (content) id from versions
    where account_id = ${accountId} and template_id = ${templateId} and starts_with(content, ${prefix})
    order by content, seq desc limit 2`;
  return rows.map((row) => z.string().parse(row['id']));
}

/** Newest first. */
export async function listVersions(
  sql: Sql | Tx,
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
}

/** The labels of versions by their ids. */
export async function labelsOf(
  sql: Sql | Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql`
    select id, label from versions where account_id = ${accountId} and id = any (${[...ids]}::text[])`;
  return new Map(
    z
      .array(z.object({ id: z.string(), label: z.string() }))
      .parse(rows)
      .map(({ id, label }) => [id, label]),
  );
}

const Node = z.object({ id: z.string(), label: z.string(), seq: z.number(), parents: z.array(z.string()) });

/** Every version of a template by id, with its place in the history. */
export async function selectHistory(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
): Promise<Map<string, z.output<typeof Node>>> {
  const rows = await sql`
    select id, label, seq, parents from versions
    where account_id = ${accountId} and template_id = ${templateId} order by seq`;
  return new Map(
    z
      .array(Node)
      .parse(rows)
      .map((node) => [node.id, node]),
  );
}
