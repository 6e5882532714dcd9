import { z } from 'zod';
import { Usage } from '../../ai/ai.ts';
import { type Sql, type Tx, violates } from '../../platform/database/database.ts';
import { idsOf } from '../../platform/database/ids-of.ts';
import type { Balance } from '../../quota/quota.ts';
import { Hook } from '../hook.ts';

// The SQL of generations and their hooks. History shows the latest first.

/** The owner's feedback on a hook; null when there is none yet. */
export type Feedback = {
  readonly copied: boolean | null;
  readonly used: boolean | null;
  /** It did better than what it was compared with, or worse. */
  readonly winner: boolean | null;
  /** A figure the owner chose, such as views. */
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
  /** `client` when the caller's own model wrote. */
  readonly provider: string;
  readonly model: string | null;
  readonly requested: number;
  readonly usage: Usage | null;
  /** ISO 8601. */
  readonly date: string;
  readonly hooks: readonly (Hook & Feedback)[];
};

const GenerationRow = z.object({
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

export type NewGeneration = Omit<Generation, 'date' | 'hooks'> & {
  readonly actor: string;
  /** Idempotency key; null when a repeat may generate again. */
  readonly key: string | null;
};

type Insertion =
  | { readonly state: 'not_charged' | 'duplicate_key' }
  /** `balance` is the account's after the charge. */
  | { readonly state: 'stored'; readonly balance: Balance };

const BalanceRow = z.object({ used: z.number(), credits: z.number() });

/**
 * Stores a generation with its hooks and charges the reservation in one statement: both happen, or neither. Stores nothing
 * when the reservation has ended or the key is taken. Without a reservation it costs nothing. Webhooks hear of it.
 */
export async function insertGeneration(
  sql: Sql | Tx,
  accountId: string,
  one: NewGeneration,
  { hooks, reservationId }: { hooks: readonly Hook[]; reservationId: string | null },
): Promise<Insertion> {
  const rows = await sql`
    with charged as materialized (
      select done, used_units, credits_left
      from quota_settle(${accountId}, ${reservationId}, ${hooks.length}, now())
    ), generation as (
      insert into generations
        (id, account_id, actor, key, topic, platform, language, provider, model, requested, usage)
      select ${one.id}, ${accountId}, ${one.actor}, ${one.key}, ${one.topic}, ${one.platform}, ${one.language},
        ${one.provider}, ${one.model}, ${one.requested}::int,
        ${one.usage === null ? null : sql.json(one.usage)}::jsonb
      from charged where done
      returning id
    ), stored as (
      insert into hooks
        (id, account_id, generation_id, position, text, style, score, why, pattern, chars, seconds, flags)
      select one->>'id', ${accountId}, generation.id, (nth - 1)::int, one->>'text', one->>'style',
        (one->>'score')::int, one->>'why', one->>'pattern', (one->>'chars')::int, (one->>'seconds')::float8,
        array(select jsonb_array_elements_text(one->'flags'))
      from generation, jsonb_array_elements(${sql.json(hooks.map((hook) => ({ ...hook })))}::jsonb)
        with ordinality as given (one, nth)
    )
    select
      coalesce(used_units, (select used from quota_months
        where account_id = ${accountId} and month = quota_month(now())), 0) as used,
      coalesce(credits_left, (select credits from quota_balances
        where account_id = ${accountId}), 0) as credits,
      (select emit_event(${accountId}, 'hooks.generated', ${sql.json(eventOf(one, hooks))}) from generation)
    from charged where done`.catch((error: unknown) => {
    // An error rather than `on conflict do nothing`, so that the charge is rolled back too.
    if (violates(error, 'generations_account_id_key_key')) return undefined;
    throw error;
  });
  if (!rows) return { state: 'duplicate_key' };
  const [balance] = z.array(BalanceRow).parse(rows);
  return balance ? { state: 'stored', balance } : { state: 'not_charged' };
}

/** What webhooks are told. */
function eventOf({ id, topic, platform, language, provider, model }: NewGeneration, hooks: readonly Hook[]) {
  const told = hooks.map(({ id, text, style, score }) => ({ id, text, style, score }));
  return { id, topic, platform, language, provider, model, hooks: told };
}

const StoredGeneration = GenerationRow.omit({
  seq: true,
  platform: true,
  language: true,
  created_at: true,
}).extend({
  granted: z.number(),
  hooks: z.array(Hook),
});
/** `granted` is how many of the requested hooks there were units for. */
export type StoredGeneration = z.output<typeof StoredGeneration>;

/** The generation made with an idempotency key. */
export async function findByKey(
  sql: Sql | Tx,
  accountId: string,
  key: string,
): Promise<StoredGeneration | undefined> {
  const [row] = await sql`
    select g.id, topic, provider, model, g.requested, usage,
      coalesce(r.plan_units + r.credit_units, g.requested) as granted,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', id, 'text', text, 'style', style, 'score', score, 'why', why,
          'pattern', pattern, 'chars', chars, 'seconds', seconds, 'flags', to_jsonb(flags)) order by position)
        from hooks where account_id = ${accountId} and generation_id = g.id
      ), '[]') as hooks
    from generations g
      left join quota_reservations r on r.account_id = g.account_id and r.key = g.key and r.state = 'settled'
    where g.account_id = ${accountId} and g.key = ${key}`;
  return row && StoredGeneration.parse(row);
}

const RecentHookRow = z.object({ seq: z.number(), text: z.string() });
export type RecentHookRow = z.output<typeof RecentHookRow>;

/** The latest hooks of an account with a `seq` above `after`, the latest first. */
export async function latestHooks(
  sql: Sql | Tx,
  accountId: string,
  after: number,
  count: number,
): Promise<RecentHookRow[]> {
  const rows = await sql`
    select seq, text from hooks where account_id = ${accountId} and seq > ${after} order by seq desc limit ${count}`;
  return z.array(RecentHookRow).parse(rows);
}

type HistoryPageRequest = {
  readonly before: number;
  readonly limit: number;
  /** Only this many of the latest are visible; null is all. */
  readonly latest: number | null;
  /** A part of the topic. */
  readonly part: string | null;
  /** The same as an `ilike` pattern for the topic without accents. */
  readonly topic: string | null;
  readonly platform: string | null;
  readonly since: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
};

export async function listGenerations(
  sql: Sql | Tx,
  accountId: string,
  page: HistoryPageRequest,
): Promise<GenerationRow[]> {
  const { before, limit, latest, part, topic, platform, since, until } = page;
  const rows = await sql`
    select seq, id, topic, platform, language, provider, model, requested, usage, created_at
    from generations
    where account_id = ${accountId} and seq < ${before}
      and (${latest}::int is null or seq >= coalesce((
        select seq from generations where account_id = ${accountId}
        order by seq desc offset greatest(${latest}::int - 1, 0) limit 1), 0))
      and (${part}::text is null or search_grams(account_id, topic) @> search_grams(${accountId}, ${part}::text))
      and (${topic}::text is null
        or regexp_replace(normalize(topic, NFKD), '[\\u0300-\\u036f]', '', 'g') ilike ${topic})
      and (${platform}::text is null or platform = ${platform})
      and (${since}::timestamptz is null or created_at >= ${since})
      and (${until}::timestamptz is null or created_at < ${until})
    order by seq desc limit ${limit}`;
  return z.array(GenerationRow).parse(rows);
}

export async function findGeneration(
  sql: Sql | Tx,
  accountId: string,
  id: string,
): Promise<GenerationRow | undefined> {
  const [row] = await sql`
    select seq, id, topic, platform, language, provider, model, requested, usage, created_at
    from generations where account_id = ${accountId} and id = ${id}`;
  return row && GenerationRow.parse(row);
}

const Among = z.object({ among: z.boolean() });

/** Whether fewer than `latest` generations are newer. */
export async function isAmongLatest(
  sql: Sql | Tx,
  accountId: string,
  seq: number,
  latest: number,
): Promise<boolean> {
  const [row] = await sql`
    select count(*) < ${latest}::int as among from (
      select from generations where account_id = ${accountId} and seq > ${seq} limit ${latest}
    ) newer`;
  return Among.parse(row).among;
}

/** The hooks of these generations, each generation's in order. */
export async function listHooks(
  sql: Sql | Tx,
  accountId: string,
  generationIds: readonly string[],
): Promise<HookRow[]> {
  const rows = await sql`
    select generation_id, id, text, style, score, why, pattern, chars, seconds, flags,
      copied, used, winner, metric, rated_at
    from hooks
    where account_id = ${accountId} and generation_id = any(${[...generationIds]}::text[])
    order by generation_id, position`;
  const hooks = z.array(HookRow).parse(rows);
  return hooks.map((hook) => ({ ...hook, rated_at: hook.rated_at?.toISOString() ?? null }));
}

/** Deletes a generation with its hooks and notifies every node. False when there is none. */
export async function deleteGeneration(sql: Sql | Tx, accountId: string, id: string): Promise<boolean> {
  const rows = await sql`
    with deleted as (
      delete from generations where account_id = ${accountId} and id = ${id} returning account_id
    )
    select pg_notify('deleted_hooks', account_id) from deleted`;
  return rows.length === 1;
}

/** Of these accounts, those whose oldest generation is from before. */
export async function accountsWithOld(
  sql: Sql | Tx,
  accountIds: readonly string[],
  before: Date,
): Promise<string[]> {
  const rows = await sql`
    select a.id from unnest(${[...accountIds]}::text[]) a (id)
    where (select created_at from generations where account_id = a.id order by seq limit 1) < ${before}`;
  return idsOf(rows);
}

/** Deletes at most `limit` of the account's oldest generations from before, with their hooks; returns how many. */
export async function deleteOldGenerations(
  sql: Sql | Tx,
  accountId: string,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await sql`
    with deleted as (
      delete from generations where seq in (
        select seq from (
          select seq, created_at from generations where account_id = ${accountId} order by seq limit ${limit}) oldest
        where created_at < ${before})
      returning account_id)
    select pg_notify('deleted_hooks', account_id) from deleted`;
  return rows.length;
}
