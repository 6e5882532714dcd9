import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';
import { Manifest } from './video-template.ts';

const Row = z.object({ name: z.string(), html: z.string(), manifest: Manifest });
type Row = z.output<typeof Row>;

/** The SQL of the video templates that accounts have saved. */
export function createVideoTemplateStore(sql: Sql) {
  return {
    async find(accountId: string, name: string): Promise<Row | undefined> {
      const [row] = await sql`
        select name, html, manifest from video_templates
        where account_id = ${accountId} and name = ${name}`;
      return row && Row.parse(row);
    },

    async list(accountId: string): Promise<Row[]> {
      const rows = await sql`
        select name, html, manifest from video_templates
        where account_id = ${accountId} order by name`;
      return z.array(Row).parse(rows);
    },

    /** Undefined when the account would have more than `most`. */
    async save(accountId: string, row: Row, most: number): Promise<'created' | 'replaced' | undefined> {
      const [saved] = await sql`
        insert into video_templates (account_id, name, html, manifest)
        select ${accountId}::text, ${row.name}::text, ${row.html}::text, ${sql.json(row.manifest)}::jsonb
        where ${most}::int > (
          select count(*) from video_templates where account_id = ${accountId} and name <> ${row.name})
        on conflict (account_id, name) do update set
          html = excluded.html, manifest = excluded.manifest, revision = video_templates.revision + 1, updated_at = now()
        returning revision`;
      if (!saved) return undefined;
      return z.object({ revision: z.number() }).parse(saved).revision === 1 ? 'created' : 'replaced';
    },
  };
}
