import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

const Answer = z.object({ output: z.json() }).nullable();
const Entry = z.object({ fingerprint: z.string(), answer: z.string().nullable() });

/** A call under a key; its answer is null while it runs and after it failed. */
type Entry = { readonly fingerprint: string; readonly answer: z.output<typeof Answer> };

const Claim = z.object({ began_at: z.date() });

/**
 * The SQL of idempotency keys. An entry without an answer is a call still running; one whose answer is JSON's null is a
 * call that failed, kept for what it may have done.
 */

/**
 * Takes the key for a new call, and says when it was first used; undefined when it is in use. Entries older than a day,
 * and calls that failed or were cut off by a crash, make room.
 */
export async function claim(
  sql: Sql,
  accountId: string,
  key: string,
  fingerprint: string,
): Promise<Date | undefined> {
  const [row] = await sql`
    insert into idempotency_keys as entry (account_id, key, fingerprint)
    values (${accountId}, ${key}, ${fingerprint})
    on conflict (account_id, key) do update set
      fingerprint = excluded.fingerprint, answer = null, created_at = now(),
      began_at = case
        when least(entry.began_at, entry.created_at) < now() - interval '24 hours' then now()
        else entry.began_at
      end
    where entry.created_at < now() - interval '24 hours' or entry.answer = 'null'
      or (entry.answer is null and entry.created_at < now() - interval '2 minutes')
    returning began_at`;
  return row && Claim.parse(row).began_at;
}

/** Says that the call still runs. */
export async function keep(sql: Sql, accountId: string, key: string): Promise<void> {
  await sql`
    update idempotency_keys set created_at = now()
    where account_id = ${accountId} and key = ${key} and answer is null`;
}

export async function find(sql: Sql, accountId: string, key: string): Promise<Entry | undefined> {
  const [row] = await sql`
    select fingerprint, answer from idempotency_keys where account_id = ${accountId} and key = ${key}`;
  if (!row) return undefined;
  const { fingerprint, answer } = Entry.parse(row);
  return { fingerprint, answer: Answer.parse(JSON.parse(answer ?? 'null')) };
}

export async function settle(
  sql: Sql,
  accountId: string,
  key: string,
  output: z.output<ReturnType<typeof z.json>>,
): Promise<void> {
  await sql`
    update idempotency_keys set answer = ${JSON.stringify({ output })}
    where account_id = ${accountId} and key = ${key}`;
}

export async function release(sql: Sql, accountId: string, key: string): Promise<void> {
  await sql`
    update idempotency_keys set answer = 'null'
    where account_id = ${accountId} and key = ${key} and answer is null`;
}

/** At most `limit` keys that are older than 24 hours; how many there were. */
export async function deleteOld(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from idempotency_keys where (account_id, key) in (
      select account_id, key from idempotency_keys where created_at < now() - interval '24 hours' limit ${limit})`;
  return rows.count;
}
