import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { INVITED_ROLES } from './roles.ts';

const InvitationRow = z.object({
  id: z.string(),
  account_id: z.string(),
  account_name: z.string(),
  email: z.string(),
  role: z.enum(INVITED_ROLES),
  invited_by: z.string(),
  expires_at: z.date(),
});
export type InvitationRow = z.output<typeof InvitationRow>;

const PersonRow = z.object({ id: z.string(), email: z.string().nullable(), email_verified: z.boolean() });
export type PersonRow = z.output<typeof PersonRow>;

/** How an invitation is named: by the SHA-256 of the token in its email, or by its ID. One of them is null. */
export type InvitationName = { readonly sha256: string | null; readonly id: string | null };

/** The SQL of invitations, as those who are invited see them: an invitation of any account, by a secret or an address. */

/** A live invitation to an account that is not deleted. */
export async function find(
  sql: Sql | Tx,
  { sha256, id }: InvitationName,
  now: Date,
): Promise<InvitationRow | undefined> {
  const [row] = await sql`
    select i.id, i.account_id, a.name as account_name, i.email, i.role, i.invited_by, i.expires_at
    from invitations i join accounts a on a.id = i.account_id
    where (i.token_sha256 = ${sha256}::text or i.id = ${id}::text) and i.expires_at > ${now}
      and a.deleted_at is null`;
  return row && InvitationRow.parse(row);
}

/** The invitations to an address, oldest first. */
export async function listOf(sql: Sql | Tx, email: string, now: Date): Promise<InvitationRow[]> {
  const rows = await sql`
    select i.id, i.account_id, a.name as account_name, i.email, i.role, i.invited_by, i.expires_at
    from invitations i join accounts a on a.id = i.account_id
    where i.email = ${email} and i.expires_at > ${now} and a.deleted_at is null
    order by i.created_at, i.id limit 100`;
  return z.array(InvitationRow).parse(rows);
}

/** True for one caller only: the invitation is used up. */
export async function take(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const taken = await tx`
    delete from invitations where account_id = ${accountId} and id = ${id} returning id`;
  return taken.length === 1;
}

export async function findPerson(sql: Sql | Tx, userId: string): Promise<PersonRow | undefined> {
  const [row] = await sql`select id, email, email_verified from users where id = ${userId}`;
  return row && PersonRow.parse(row);
}

const Sent = z.object({ by_account: z.number(), by_email: z.number() });

/** How many emails with invitations an account has sent, and an address has got, since a moment. */
export async function countMails(
  sql: Sql | Tx,
  { accountId, email }: { accountId: string; email: string },
  since: Date,
): Promise<z.output<typeof Sent>> {
  const [row] = await sql`
    select (select count(*)::int from invitation_mails where account_id = ${accountId} and sent_at > ${since})
        as by_account,
      (select count(*)::int from invitation_mails where email = ${email} and sent_at > ${since}) as by_email`;
  return Sent.parse(row);
}

export async function insertMail(
  sql: Sql | Tx,
  accountId: string,
  { email, at }: { email: string; at: Date },
): Promise<void> {
  await sql`
    insert into invitation_mails (account_id, email, sent_at) values (${accountId}, ${email}, ${at})`;
}

/** Deletes what no longer counts, and invitations that expired a month ago. */
export async function sweep(
  sql: Sql,
  { mails, invitations }: { mails: Date; invitations: Date },
): Promise<void> {
  await sql`delete from invitation_mails where sent_at <= ${mails}`;
  await sql`delete from invitations where expires_at <= ${invitations}`;
}
