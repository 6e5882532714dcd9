import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';

const Row = z.object({ name: z.string(), found: z.array(z.string()) });

/** What video templates name as `asset:…` or by a public address `/a/…`. */
export async function findAssetUses(sql: Sql, accountId: string) {
  const rows = await sql`
    select t.name, array_agg(distinct m.found[1]) as found
    from video_templates t cross join lateral regexp_matches(
      t.html || t.manifest::text, '(?:asset:|/a/)([^]["''()<>[:space:],?#&;\\\\]+)', 'g') as m (found)
    where t.account_id = ${accountId}
    group by t.name`;
  return z.array(Row).parse([...rows]);
}
