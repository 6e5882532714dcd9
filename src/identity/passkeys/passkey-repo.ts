import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';

const PasskeyRow = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  credential_id: z.string(),
  public_key: z.string(),
  counter: z.coerce.number(),
  transports: z.array(z.string()),
  created_at: z.date(),
  last_used_at: z.date().nullable(),
});
export type PasskeyRow = z.output<typeof PasskeyRow>;
type NewPasskeyRow = Omit<PasskeyRow, 'last_used_at'>;

/** The SQL of passkeys. They belong to a person, not to an account. Inside a transaction give it `tx`. */

export async function list(sql: Sql | Tx, userId: string): Promise<PasskeyRow[]> {
  const rows = await sql`
    select id, user_id, name, credential_id, public_key, counter, transports, created_at, last_used_at
    from passkeys where user_id = ${userId} order by created_at, id`;
  return z.array(PasskeyRow).parse(rows);
}

/** A passkey of any person: its signature is the proof. */
export async function find(sql: Sql | Tx, credentialId: string): Promise<PasskeyRow | undefined> {
  const [row] = await sql`
    select id, user_id, name, credential_id, public_key, counter, transports, created_at, last_used_at
    from passkeys where credential_id = ${credentialId}`;
  return row && PasskeyRow.parse(row);
}

/** False if the credential is registered already. */
export async function insert(sql: Sql | Tx, row: NewPasskeyRow): Promise<boolean> {
  const inserted = await sql`
    insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, created_at)
    values (${row.id}, ${row.user_id}, ${row.name}, ${row.credential_id}, ${row.public_key}, ${row.counter},
      ${row.transports}, ${row.created_at})
    on conflict do nothing returning id`;
  return inserted.length === 1;
}

/** False if the passkey is deleted, or has counted this signature already. */
export async function markUsed(sql: Sql | Tx, id: string, counter: number, now: Date): Promise<boolean> {
  const used = await sql`
    update passkeys set counter = ${counter}, last_used_at = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning id`;
  return used.length === 1;
}

export async function remove(sql: Sql | Tx, userId: string, id: string): Promise<string | undefined> {
  const [row] = await sql`delete from passkeys where user_id = ${userId} and id = ${id} returning name`;
  return row && z.string().parse(row['name']);
}
