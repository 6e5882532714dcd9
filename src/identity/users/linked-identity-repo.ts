import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { VerifiedIdentity } from './external-users.ts';

type Identity = Pick<VerifiedIdentity, 'issuer' | 'subject'>;

/** The SQL of identities that people linked to themselves. Inside a transaction give it `tx`. */

/** The person an identity is linked to. */
export async function find(sql: Sql | Tx, { issuer, subject }: Identity): Promise<string | undefined> {
  const [row] = await sql`
    select user_id from linked_identities where issuer = ${issuer} and subject = ${subject}`;
  return row && z.string().parse(row['user_id']);
}

/** Links an identity that is linked to no one. Returns the person it is linked to now. */
export async function insert(
  sql: Sql | Tx,
  { issuer, subject }: Identity,
  userId: string,
): Promise<string | undefined> {
  await sql`
    insert into linked_identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId})
    on conflict do nothing`;
  return find(sql, { issuer, subject });
}

export async function remove(sql: Sql | Tx, userId: string, issuer: string): Promise<boolean> {
  const removed = await sql`
    delete from linked_identities where user_id = ${userId} and issuer = ${issuer} returning subject`;
  return removed.length > 0;
}
