import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';

/**
 * Names of at most ten video templates whose HTML includes a partial, as `{{> name}}` or `{{#> name}}`. Comments, `{{!-- … --}}` and
 * `{{! … }}`, include nothing.
 */
export async function findPartialUses(
  sql: Sql | Tx,
  accountId: string,
  partial: string,
): Promise<readonly string[]> {
  const rows = await sql`
    select t.name from video_templates t,
      regexp_replace(t.html, '\\{\\{~??!(?=--).*?--~??\\}\\}', '', 'g') as without_long (html),
      regexp_replace(without_long.html, '\\{\\{~??!.*?\\}\\}', '', 'g') as without_comments (html)
    where t.account_id = ${accountId} and exists (
      select from regexp_matches(without_comments.html, '\\{\\{~?#?>\\s*["''[]?([^][\\s"''~}]+)', 'g') as m (found)
      where m.found[1] = ${partial})
    order by t.name limit 10`;
  return rows.map((row) => z.string().parse(row['name']));
}
