import { z } from 'zod';
import { Usage } from '../ai/writer.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Feedback } from './generation.ts';
import { Hook } from './hook.ts';

export const GenerationRow = z.object({
  seq: z.number(),
  id: z.string(),
  topic: z.string(),
  platform: z.string().nullable(),
  language: z.string().nullable(),
  provider: z.string(),
  model: z.string().nullable(),
  requested: z.number(),
  usage: Usage.nullable(),
  created_at: z.date(),
});
export type GenerationRow = z.output<typeof GenerationRow>;

const HookRow = Hook.extend({
  generation_id: z.string(),
  copied: z.boolean().nullable(),
  used: z.boolean().nullable(),
  winner: z.boolean().nullable(),
  metric: z.number().nullable(),
  rated_at: z.date().nullable(),
});
export type HookRow = Omit<z.output<typeof HookRow>, 'rated_at'> & Feedback;

export type PageOfHistory = {
  readonly before: number;
  readonly limit: number;
  /** Only these many of the latest are there; null is all. */
  readonly latest: number | null;
  /** A pattern for the topic without accents. */
  readonly topic: string | null;
  readonly platform: string | null;
  readonly since: Date | null;
  /** The moment after the last. */
  readonly until: Date | null;
};

const Among = z.object({ among: z.boolean() });

/** The SQL of the history: what has been generated, the latest first. */
export function createHistoryStore(sql: Sql) {
  return {
    async page(accountId: string, page: PageOfHistory): Promise<GenerationRow[]> {
      const { before, limit, latest, topic, platform, since, until } = page;
      const rows = await sql`
        select seq, id, topic, platform, language, provider, model, requested, usage, created_at
        from generations
        where account_id = ${accountId} and seq < ${before}
          and (${latest}::int is null or seq >= coalesce((
            select seq from generations where account_id = ${accountId}
            order by seq desc offset greatest(${latest}::int - 1, 0) limit 1), 0))
          and (${topic}::text is null
            or regexp_replace(normalize(topic, NFKD), '[\\u0300-\\u036f]', '', 'g') ilike ${topic})
          and (${platform}::text is null or platform = ${platform})
          and (${since}::timestamptz is null or created_at >= ${since})
          and (${until}::timestamptz is null or created_at < ${until})
        order by seq desc limit ${limit}`;
      return z.array(GenerationRow).parse(rows);
    },

    async find(accountId: string, id: string): Promise<GenerationRow | undefined> {
      const [row] = await sql`
        select seq, id, topic, platform, language, provider, model, requested, usage, created_at
        from generations where account_id = ${accountId} and id = ${id}`;
      return row && GenerationRow.parse(row);
    },

    /** Whether fewer than `latest` generations are younger. */
    async isAmongLatest(accountId: string, seq: number, latest: number): Promise<boolean> {
      const [row] = await sql`
        select count(*) < ${latest}::int as among from (
          select from generations where account_id = ${accountId} and seq > ${seq} limit ${latest}
        ) younger`;
      return Among.parse(row).among;
    },

    /** The hooks of these generations, each generation's in order. */
    async hooksOf(accountId: string, generationIds: readonly string[]): Promise<HookRow[]> {
      const rows = await sql`
        select generation_id, id, text, style, score, why, pattern, chars, seconds, flags,
          copied, used, winner, metric, rated_at
        from hooks
        where account_id = ${accountId} and generation_id = any(${[...generationIds]}::text[])
        order by generation_id, position`;
      const hooks = z.array(HookRow).parse(rows);
      return hooks.map((hook) => ({ ...hook, rated_at: hook.rated_at?.toISOString() ?? null }));
    },

    /** False when there is none. Its hooks go with it, and every node is told to forget them. */
    async delete(accountId: string, id: string): Promise<boolean> {
      const rows = await sql`
        with deleted as (
          delete from generations where account_id = ${accountId} and id = ${id} returning account_id
        )
        select pg_notify('deleted_hooks', account_id) from deleted`;
      return rows.length === 1;
    },
  };
}
