import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { Data, Document } from '../schema.ts';
import { BranchRow } from './branch-repo.ts';
import { TemplateRow } from './template-repo.ts';
import { type NewVersion, VersionRow } from './version-repo.ts';

const BundledTemplateRow = TemplateRow.omit({ revision: true });
export type BundledTemplateRow = z.output<typeof BundledTemplateRow>;

const BundledVersionRow = VersionRow.omit({ seq: true, variables: true });
export type BundledVersionRow = z.output<typeof BundledVersionRow>;

const BundledBranchRow = BranchRow.extend({ template_id: z.string() });
export type BundledBranchRow = z.output<typeof BundledBranchRow>;

const NamedTemplate = z.object({ id: z.string(), name: z.string() });
export type NamedTemplate = z.output<typeof NamedTemplate>;

const PinnedVersionRow = z.object({ id: z.string(), label: z.string(), name: z.string() });
export type PinnedVersionRow = z.output<typeof PinnedVersionRow>;

const BundledFixtureRow = z.object({ template_id: z.string(), name: z.string() });
export type BundledFixtureRow = z.output<typeof BundledFixtureRow>;

/** All templates, or those named. */
export async function selectNames(
  sql: Sql | Tx,
  accountId: string,
  names: readonly string[] | null,
): Promise<NamedTemplate[]> {
  const rows = await sql`
    select id, name from templates
    where account_id = ${accountId} and deleted_at is null
      and (${names ? [...names] : null}::text[] is null or name = any (${names ? [...names] : null}::text[]))`;
  return z.array(NamedTemplate).parse(rows);
}

/** Names of the layouts and partials that versions of the templates were saved with. */
export async function selectUsedNames(
  sql: Sql | Tx,
  accountId: string,
  templateIds: readonly string[],
): Promise<string[]> {
  const rows = await sql`
    select distinct used ->> 'name' as name from versions v, jsonb_array_elements(v.uses) used
    where v.account_id = ${accountId} and v.template_id = any (${[...templateIds]}::text[])`;
  return z
    .array(NamedTemplate.pick({ name: true }))
    .parse(rows)
    .map(({ name }) => name);
}

export async function selectTemplates(
  sql: Sql | Tx,
  accountId: string,
  ids: readonly string[],
): Promise<BundledTemplateRow[]> {
  const rows = await sql`
    select id, name, kind, description, tags, created_at, updated_at from templates
    where account_id = ${accountId} and id = any (${[...ids]}::text[])`;
  return z.array(BundledTemplateRow).parse(rows);
}

/** Those of the versions whose template still exists, with its name. */
export async function selectPinned(
  sql: Sql | Tx,
  accountId: string,
  versionIds: readonly string[],
): Promise<PinnedVersionRow[]> {
  const rows = await sql`
    select v.id, v.label, t.name from versions v
    join templates t on t.account_id = v.account_id and t.id = v.template_id and t.deleted_at is null
    where v.account_id = ${accountId} and v.id = any (${[...versionIds]}::text[])`;
  return z.array(PinnedVersionRow).parse(rows);
}

/** Oldest first within each template, in the order of `templateIds`. */
export async function selectVersions(
  sql: Sql | Tx,
  accountId: string,
  templateIds: readonly string[],
): Promise<BundledVersionRow[]> {
  const rows = await sql`
    select id, template_id, label, branch, parents, content, uses, bump, bump_reason, message, author,
      rolled_back_from, created_at
    from versions where account_id = ${accountId} and template_id = any (${[...templateIds]}::text[])
    order by array_position(${[...templateIds]}::text[], template_id), seq`;
  return z.array(BundledVersionRow).parse(rows);
}

export async function selectBranches(
  sql: Sql | Tx,
  accountId: string,
  templateIds: readonly string[],
): Promise<BundledBranchRow[]> {
  const rows = await sql`
    select template_id, name, head, base, description, created_at, merged_at
    from branches where account_id = ${accountId} and template_id = any (${[...templateIds]}::text[])`;
  return z.array(BundledBranchRow).parse(rows);
}

/** Which samples there are; each can be a megabyte, so their data is read apart. */
export async function selectFixtureNames(
  sql: Sql | Tx,
  accountId: string,
  templateIds: readonly string[],
): Promise<BundledFixtureRow[]> {
  const rows = await sql`
    select template_id, name from fixtures
    where account_id = ${accountId} and template_id = any (${[...templateIds]}::text[])
    order by array_position(${[...templateIds]}::text[], template_id), name collate "C"`;
  return z.array(BundledFixtureRow).parse(rows);
}

export async function selectFixtures(
  sql: Sql | Tx,
  accountId: string,
  wanted: readonly BundledFixtureRow[],
): Promise<(BundledFixtureRow & { readonly data: Data })[]> {
  const rows = await sql`
    select template_id, name, data from fixtures
    where account_id = ${accountId} and (template_id, name) in (
      select * from unnest(${wanted.map((fixture) => fixture.template_id)}::text[],
        ${wanted.map(({ name }) => name)}::text[]))`;
  return z.array(BundledFixtureRow.extend({ data: Data })).parse(rows);
}

export async function selectContents(
  sql: Sql | Tx,
  accountId: string,
  hashes: readonly string[],
): Promise<Map<string, Document>> {
  const rows = await sql`
    select sha256, document from contents
    where account_id = ${accountId} and sha256 = any (${[...hashes]}::text[])`;
  const parsed = z.array(z.object({ sha256: z.string(), document: Document })).parse(rows);
  return new Map(parsed.map(({ sha256, document }) => [sha256, document]));
}

/** False when the name is taken. */
export async function restoreTemplate(
  sql: Sql | Tx,
  accountId: string,
  row: Omit<BundledTemplateRow, 'created_at' | 'updated_at'> & { created_at: string; updated_at: string },
): Promise<boolean> {
  const inserted = await sql`
    insert into templates (id, account_id, name, kind, description, tags, created_at, updated_at)
    values (${row.id}, ${accountId}, ${row.name}, ${row.kind}, ${row.description}, ${row.tags},
      ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz)
    on conflict do nothing returning id`;
  return inserted.length === 1;
}

export async function restoreVersion(
  sql: Sql | Tx,
  accountId: string,
  row: NewVersion & { created_at: string },
): Promise<void> {
  await sql`
    insert into versions (id, account_id, template_id, seq, label, branch, parents, content, variables, uses,
      bump, bump_reason, message, author, rolled_back_from, created_at)
    values (${row.id}, ${accountId}, ${row.template_id}, ${row.seq}, ${row.label}, ${row.branch},
      ${row.parents}, ${row.content}, ${sql.json(row.variables)}, ${sql.json(row.uses)}, ${row.bump},
      ${row.bump_reason}, ${row.message}, ${row.author}, ${row.rolled_back_from},
      ${row.created_at}::timestamptz)`;
}

export async function restoreBranch(
  sql: Sql | Tx,
  accountId: string,
  row: Omit<BundledBranchRow, 'created_at' | 'merged_at'> & { created_at: string; merged_at: string | null },
): Promise<void> {
  await sql`
    insert into branches (account_id, template_id, name, head, base, description, created_at, merged_at)
    values (${accountId}, ${row.template_id}, ${row.name}, ${row.head}, ${row.base}, ${row.description},
      ${row.created_at}::timestamptz, ${row.merged_at}::timestamptz)`;
}
