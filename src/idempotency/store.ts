import { z } from 'zod';
import type { Sql } from '../platform/database.ts';

const Entry = z.object({ fingerprint: z.string(), answer: z.object({ output: z.json() }).nullable() });

/** The SQL of idempotency keys. An entry without an answer is a call still running. */
export function createIdempotencyStore(sql: Sql) {
  return {
    /** Takes the key for a new call: false when it is in use. Entries older than a day, and calls cut off by a crash, make room. */
    async claim(accountId: string, key: string, fingerprint: string): Promise<boolean> {
      await sql`
        delete from idempotency_keys
        where account_id = ${accountId} and key = ${key}
          and (created_at < now() - interval '24 hours'
            or (answer is null and created_at < now() - interval '2 minutes'))`;
      const claimed = await sql`
        insert into idempotency_keys (account_id, key, fingerprint)
        values (${accountId}, ${key}, ${fingerprint}) on conflict do nothing returning key`;
      return claimed.length === 1;
    },

    async find(accountId: string, key: string): Promise<z.output<typeof Entry> | undefined> {
      const [row] = await sql`
        select fingerprint, answer from idempotency_keys where account_id = ${accountId} and key = ${key}`;
      return row && Entry.parse(row);
    },

    async settle(accountId: string, key: string, output: z.output<ReturnType<typeof z.json>>): Promise<void> {
      await sql`
        update idempotency_keys set answer = ${sql.json({ output })}
        where account_id = ${accountId} and key = ${key}`;
    },

    async release(accountId: string, key: string): Promise<void> {
      await sql`delete from idempotency_keys where account_id = ${accountId} and key = ${key} and answer is null`;
    },

    async sweep(): Promise<void> {
      await sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`;
    },
  };
}
