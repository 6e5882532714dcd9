import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';

const Row = z.object({ kind: z.enum(['template', 'fixture']), name: z.string(), found: z.array(z.string()) });

/**
 * What templates and their sample data name as `asset:…` or by a public address `/a/…`, in every version that a branch or an
 * environment shows.
 */
export async function findAssetUses(sql: Sql, accountId: string) {
  const rows = await sql`
    select 'template' as kind, t.name, array_agg(distinct m.found[1]) as found
    from templates t
    join (select template_id, head as version_id from branches where account_id = ${accountId}
      union select p.template_id, p.version_id from pointers p where p.account_id = ${accountId}) shown
      on shown.template_id = t.id
    join versions v on v.id = shown.version_id and v.account_id = t.account_id
    join contents c on c.account_id = v.account_id and c.sha256 = v.content
    cross join lateral regexp_matches(
      c.document::text, '(?:asset:|/a/)([^]["''()<>[:space:],?#&;\\\\]+)', 'g') as m (found)
    where t.account_id = ${accountId} and t.deleted_at is null
      and (c.document::text like '%asset:%' or c.document::text like '%/a/%')
    group by t.name
    union all
    select 'fixture', t.name || ' / ' || f.name, array_agg(distinct m.found[1])
    from fixtures f join templates t on t.id = f.template_id and t.account_id = f.account_id
    cross join lateral regexp_matches(
      f.data::text, '(?:asset:|/a/)([^]["''()<>[:space:],?#&;\\\\]+)', 'g') as m (found)
    where f.account_id = ${accountId} and t.deleted_at is null
      and (f.data::text like '%asset:%' or f.data::text like '%/a/%')
    group by t.name, f.name`;
  return z.array(Row).parse([...rows]);
}

const Published = Row.omit({ kind: true });

/** The same of templates alone, in the versions that an environment shows. */
export async function findPublishedUses(sql: Sql, accountId: string) {
  const rows = await sql`
    select t.name, array_agg(distinct m.found[1]) as found
    from templates t
    join pointers p on p.template_id = t.id and p.account_id = t.account_id
    join versions v on v.id = p.version_id and v.account_id = t.account_id
    join contents c on c.account_id = v.account_id and c.sha256 = v.content
    cross join lateral regexp_matches(
      c.document::text, '(?:asset:|/a/)([^]["''()<>[:space:],?#&;\\\\]+)', 'g') as m (found)
    where t.account_id = ${accountId} and t.deleted_at is null
      and (c.document::text like '%asset:%' or c.document::text like '%/a/%')
    group by t.name order by t.name`;
  return z.array(Published).parse([...rows]);
}
