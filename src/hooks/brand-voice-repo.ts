import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import type { BrandVoice } from './brand-voices.ts';

// The SQL of brand voices.

const Row = z.object({
  id: z.string(),
  name: z.string(),
  samples: z.array(z.string()),
  do_text: z.string(),
  avoid_text: z.string(),
  forbidden_words: z.array(z.string()),
  language: z.string().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
});

/** A stored voice; times are ISO 8601. */
export type StoredVoice = BrandVoice & {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** Blocks other changes to the account's voices until the transaction ends. */
export async function lockVoices(tx: Tx, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('brand_voices ' || ${accountId}::text, 0))`;
}

/** Ordered by name. */
export async function listVoices(sql: Sql | Tx, accountId: string): Promise<StoredVoice[]> {
  const rows = await sql`
    select id, name, samples, do_text, avoid_text, forbidden_words, language, created_at, updated_at
    from brand_voices where account_id = ${accountId} order by name`;
  return rows.map(present);
}

export async function findVoice(
  sql: Sql | Tx,
  accountId: string,
  id: string,
): Promise<StoredVoice | undefined> {
  const [row] = await sql`
    select id, name, samples, do_text, avoid_text, forbidden_words, language, created_at, updated_at
    from brand_voices where account_id = ${accountId} and id = ${id}`;
  return row && present(row);
}

/** Creates the voice, or replaces the one with this id. */
export async function upsertVoice(
  sql: Sql | Tx,
  accountId: string,
  id: string,
  voice: BrandVoice,
): Promise<StoredVoice> {
  const { name, samples, do: like, avoid, forbidden_words: forbidden, language } = voice;
  const [row] = await sql`
    insert into brand_voices
      (id, account_id, name, samples, do_text, avoid_text, forbidden_words, language)
    values (${id}, ${accountId}, ${name}, ${[...samples]}::text[], ${like}, ${avoid},
      ${[...forbidden]}::text[], ${language})
    on conflict (id) do update set name = excluded.name, samples = excluded.samples,
      do_text = excluded.do_text, avoid_text = excluded.avoid_text,
      forbidden_words = excluded.forbidden_words, language = excluded.language, updated_at = now()
    where brand_voices.account_id = ${accountId}
    returning id, name, samples, do_text, avoid_text, forbidden_words, language, created_at, updated_at`;
  return present(row);
}

export async function deleteVoice(sql: Sql | Tx, accountId: string, id: string): Promise<void> {
  await sql`delete from brand_voices where account_id = ${accountId} and id = ${id}`;
}

function present(row: unknown): StoredVoice {
  const { do_text: like, avoid_text: avoid, created_at, updated_at, ...voice } = Row.parse(row);
  return {
    ...voice,
    do: like,
    avoid,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
