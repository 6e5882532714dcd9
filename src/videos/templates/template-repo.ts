import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';
import { Manifest } from './video-template.ts';

const Content = z.object({ name: z.string(), html: z.string(), manifest: Manifest });
const Row = Content.extend({ version: z.number() });
type Row = z.output<typeof Row>;

const VersionRow = z.object({
  version: z.number(),
  title: z.string(),
  rolled_back_from: z.number().nullable(),
  created_at: z.date(),
});
export type VersionRow = z.output<typeof VersionRow>;

const Saved = z.object({ revision: z.number() });

export async function findTemplate(sql: Sql, accountId: string, name: string): Promise<Row | undefined> {
  const [row] = await sql`
    select name, html, manifest, revision as version from video_templates
    where account_id = ${accountId} and name = ${name}`;
  return row && Row.parse(row);
}

export async function listTemplates(sql: Sql, accountId: string): Promise<Row[]> {
  const rows = await sql`
    select name, html, manifest, revision as version from video_templates
    where account_id = ${accountId} order by name`;
  return z.array(Row).parse(rows);
}

type SaveOptions = {
  /** Templates an account may have. */
  readonly limit: number;
  /** Versions that are kept of each. */
  readonly versions: number;
  /** The newest version there may be, 0 for none; by default whichever there is. */
  readonly expectedVersion?: number | undefined;
  /** The version whose content it is, after a rollback. */
  readonly rolledBackFrom?: number;
};

/**
 * Inserts or replaces a template as its next version, which is returned; undefined when the account would have too many, or
 * the newest version is not the expected one.
 */
export async function saveTemplate(
  sql: Sql,
  accountId: string,
  { name, html, manifest }: z.output<typeof Content>,
  { limit, versions, expectedVersion, rolledBackFrom }: SaveOptions,
): Promise<number | undefined> {
  const expected = expectedVersion ?? null;
  const [saved] = await sql`
    with saved as (
      insert into video_templates (account_id, name, html, manifest)
      select ${accountId}::text, ${name}::text, ${html}::text, ${sql.json(manifest)}::jsonb
      where ${limit}::int > (
        select count(*) from video_templates where account_id = ${accountId} and name <> ${name})
        and (coalesce(${expected}::int, 0) = 0 or exists (
          select from video_templates where account_id = ${accountId} and name = ${name}))
      on conflict (account_id, name) do update set
        html = excluded.html, manifest = excluded.manifest, revision = video_templates.revision + 1, updated_at = now()
        where ${expected}::int is null or video_templates.revision = ${expected}::int
      returning account_id, name, html, manifest, revision),
    kept as (
      insert into video_template_versions (account_id, name, version, html, manifest, rolled_back_from)
      select account_id, name, revision, html, manifest, ${rolledBackFrom ?? null}::int from saved),
    dropped as (
      delete from video_template_versions
      where account_id = ${accountId} and name = ${name}
        and version <= (select revision from saved) - ${versions}::int)
    select revision from saved`;
  return saved && Saved.parse(saved).revision;
}

/** Deletes a template with its versions; false when there is none. */
export async function deleteTemplate(sql: Sql, accountId: string, name: string): Promise<boolean> {
  const rows = await sql`
    delete from video_templates where account_id = ${accountId} and name = ${name} returning name`;
  return rows.length === 1;
}

/** Newest first, those before a version. */
export async function listVersions(
  sql: Sql,
  accountId: string,
  name: string,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<VersionRow[]> {
  const rows = await sql`
    select version, manifest ->> 'title' as title, rolled_back_from, created_at from video_template_versions
    where account_id = ${accountId} and name = ${name} and version < ${before}
    order by version desc limit ${limit}`;
  return z.array(VersionRow).parse(rows);
}

export async function findVersion(
  sql: Sql,
  accountId: string,
  name: string,
  version: number,
): Promise<Row | undefined> {
  const [row] = await sql`
    select name, html, manifest, version from video_template_versions
    where account_id = ${accountId} and name = ${name} and version = ${version}`;
  return row && Row.parse(row);
}
