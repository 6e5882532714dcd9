import postgres from 'postgres';
import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';
import type { Balance } from '../quota/quota.ts';
import type { Generation } from './generation.ts';
import { GenerationRow } from './history-store.ts';
import { Hook } from './hook.ts';

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
