import postgres from 'postgres';
import { z } from 'zod';
import { Usage } from '../../ai/writer.ts';
import type { Sql } from '../../platform/database.ts';
import type { Balance } from '../../quota/quota.ts';
import { Hook } from '../hook.ts';

/** What the owner of a hook said of it; null is nothing yet. */
export type Feedback = {
  readonly copied: boolean | null;
  readonly used: boolean | null;
  /** It did better than what it was compared with, or worse. */
  readonly winner: boolean | null;
  /** A figure of the owner's own, such as views. */
  readonly metric: number | null;
  /** ISO 8601. */
  readonly rated_at: string | null;
};

/** One generation of the history: a topic and the hooks that were delivered for it. */
export type Generation = {
  readonly id: string;
  readonly topic: string;
  readonly platform: string | null;
  readonly language: string | null;
  /** `client` where the caller's own model wrote. */
  readonly provider: string;
  readonly model: string | null;
  readonly requested: number;
  readonly usage: Usage | null;
  /** ISO 8601. */
  readonly date: string;
  readonly hooks: readonly (Hook & Feedback)[];
};

/** Which generations are meant; without a field, all. */
export type HistoryFilter = {
  /** Part of the topic; case and accents do not count. */
  readonly q?: string | undefined;
  readonly platform?: string | undefined;
  /** The first and the last day, YYYY-MM-DD in UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
};

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

type PageOfHistory = {
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

export type NewGeneration = Omit<Generation, 'date' | 'hooks'> & {
  readonly actor: string;
  /** Makes it once. */
  readonly key: string | null;
};

const Kept = GenerationRow.omit({ seq: true, platform: true, language: true, created_at: true }).extend({
  granted: z.number(),
});
/** `granted` is how many of the hooks asked for there were units for. */
export type KeptGeneration = z.output<typeof Kept> & { readonly hooks: readonly Hook[] };

const EarlierHook = z.object({ seq: z.number(), text: z.string() });

const Charged = z.object({ used: z.number().nullable(), credits: z.number().nullable() });

type Inserted =
  | { readonly state: 'not_charged' | 'there_already' }
  /** With what the charge left of the account's units; undefined when there was none. */
  | { readonly state: 'stored'; readonly balance: Balance | undefined };

/** The SQL of generations and their hooks. */
export function createGenerationStore(sql: Sql) {
  return {
    /**
     * A generation with its hooks, charged to a reservation in the same statement: both hold, or neither. Not when the
     * reservation has ended, nor when there is one of the same key. Without a reservation it costs nothing.
     */
    async insert(
      accountId: string,
      one: NewGeneration,
      { hooks, reservation }: { hooks: readonly Hook[]; reservation: string | null },
    ): Promise<Inserted> {
      const rows = await sql`
        with charged as materialized (
          select done, used_units, credits_left
          from quota_settle(${accountId}, ${reservation}, ${hooks.length}, now())
        ), generation as (
          insert into generations
            (id, account_id, actor, key, topic, platform, language, provider, model, requested, usage)
          select ${one.id}, ${accountId}, ${one.actor}, ${one.key}, ${one.topic}, ${one.platform}, ${one.language},
            ${one.provider}, ${one.model}, ${one.requested}::int,
            ${one.usage === null ? null : sql.json(one.usage)}::jsonb
          from charged where done
          returning id
        ), kept as (
        insert into hooks
          (id, account_id, generation_id, position, text, style, score, why, pattern, chars, seconds, flags)
        select one->>'id', ${accountId}, generation.id, (nth - 1)::int, one->>'text', one->>'style',
          (one->>'score')::int, one->>'why', one->>'pattern', (one->>'chars')::int, (one->>'seconds')::float8,
          array(select jsonb_array_elements_text(one->'flags'))
        from generation, jsonb_array_elements(${sql.json(hooks.map((hook) => ({ ...hook })))}::jsonb)
          with ordinality as given (one, nth)
        )
        select used_units as used, credits_left as credits from charged where done`.catch(
        (error: unknown) => {
          // Raised rather than passed over, so that the charge is undone with it.
          if (isKeyTaken(error)) return undefined;
          throw error;
        },
      );
      if (!rows) return { state: 'there_already' };
      const [charged] = z.array(Charged).parse(rows);
      if (!charged) return { state: 'not_charged' };
      const { used, credits } = charged;
      return { state: 'stored', balance: used === null || credits === null ? undefined : { used, credits } };
    },

    async findByKey(accountId: string, key: string): Promise<KeptGeneration | undefined> {
      const [row] = await sql`
        select g.id, topic, provider, model, g.requested, usage,
          coalesce(r.plan_units + r.credit_units, g.requested) as granted
        from generations g
          left join quota_reservations r on r.account_id = g.account_id and r.key = g.key and r.state = 'settled'
        where g.account_id = ${accountId} and g.key = ${key}`;
      if (!row) return undefined;
      const generation = Kept.parse(row);
      const hooks = await sql`
        select id, text, style, score, why, pattern, chars, seconds, flags from hooks
        where account_id = ${accountId} and generation_id = ${generation.id} order by position`;
      return { ...generation, hooks: z.array(Hook).parse(hooks) };
    },

    /** The latest hooks of an account after a number, the latest first. */
    async latestHooks(
      accountId: string,
      after: number,
      count: number,
    ): Promise<{ seq: number; text: string }[]> {
      const rows = await sql`
        select seq, text from hooks where account_id = ${accountId} and seq > ${after} order by seq desc limit ${count}`;
      return z.array(EarlierHook).parse(rows);
    },
  };
}

function isKeyTaken(error: unknown): boolean {
  return (
    error instanceof postgres.PostgresError && error.constraint_name === 'generations_account_id_key_key'
  );
}
