import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import type { BrandVoice } from './brand-voice.ts';

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

/** A voice as it is kept; the moments are ISO 8601. */
export type KeptVoice = BrandVoice & {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The SQL of brand voices. Inside a transaction give it `tx`. */
export function createBrandVoiceStore(sql: Sql | Tx) {
  return {
    /** Until the transaction ends nobody else changes the voices of the account. */
    async lock(accountId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended('brand_voices ' || ${accountId}::text, 0))`;
    },

    async list(accountId: string): Promise<KeptVoice[]> {
      const rows = await sql`
        select id, name, samples, do_text, avoid_text, forbidden_words, language, created_at, updated_at
        from brand_voices where account_id = ${accountId} order by name`;
      return rows.map(present);
    },

    async find(accountId: string, id: string): Promise<KeptVoice | undefined> {
      const [row] = await sql`
        select id, name, samples, do_text, avoid_text, forbidden_words, language, created_at, updated_at
        from brand_voices where account_id = ${accountId} and id = ${id}`;
      return row && present(row);
    },

    /** Makes it, or replaces the one of this id. */
    async put(accountId: string, id: string, voice: BrandVoice): Promise<KeptVoice> {
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
    },

    async delete(accountId: string, id: string): Promise<boolean> {
      const rows = await sql`
        delete from brand_voices where account_id = ${accountId} and id = ${id} returning id`;
      return rows.length === 1;
    },
  };
}

function present(row: unknown): KeptVoice {
  const { do_text: like, avoid_text: avoid, created_at, updated_at, ...voice } = Row.parse(row);
  return {
    ...voice,
    do: like,
    avoid,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
