import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { ROLES, type Role } from '../caller.ts';

const MembershipRow = z.object({
  account_id: z.string(),
  account_name: z.string(),
  seeded: z.boolean(),
  user_id: z.string(),
  role: z.enum(ROLES),
});
export type MembershipRow = z.output<typeof MembershipRow>;

const MemberRow = z.object({
  id: z.string(),
  status: z.enum(['active', 'invited']),
  email: z.string().nullable(),
  name: z.string(),
  avatar: z.string().nullable(),
  role: z.enum(ROLES),
  created_at: z.date(),
  expires_at: z.date().nullable(),
});
export type MemberRow = z.output<typeof MemberRow>;

const PersonAccountRow = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES).nullable(),
  deleted_at: z.date().nullable(),
});
export type PersonAccountRow = z.output<typeof PersonAccountRow>;

type NewInvitation = {
  id: string;
  email: string;
  role: Role;
  invited_by: string;
  expires_at: Date;
  token_sha256: string | null;
};

/** The SQL of who belongs to which account, and who is asked to. */

/** A person's membership in an account; in the one they are at home in when none is named. */
export async function find(
  sql: Sql | Tx,
  userId: string,
  accountId: string | null,
): Promise<MembershipRow | undefined> {
  const [row] = await sql`
    select m.account_id, a.name as account_name, a.seeded, m.user_id, m.role
    from memberships m join accounts a on a.id = m.account_id
    where m.user_id = ${userId} and (${accountId}::text is null or m.account_id = ${accountId}::text)
    order by (a.deleted_at is null) desc, (m.role = 'owner') desc, m.created_at, m.account_id limit 1`;
  return row && MembershipRow.parse(row);
}

/** The accounts a person belongs to, in the order in which they are at home in one. */
export async function listAccounts(sql: Sql | Tx, userId: string): Promise<PersonAccountRow[]> {
  const rows = await sql`
    select a.id, a.name, m.role, a.deleted_at
    from memberships m join accounts a on a.id = m.account_id where m.user_id = ${userId}
    order by (a.deleted_at is null) desc, (m.role = 'owner') desc, m.created_at, a.id limit 500`;
  return z.array(PersonAccountRow).parse(rows);
}

/** The account itself, for a caller who is no person. */
export async function findAccount(sql: Sql | Tx, accountId: string): Promise<PersonAccountRow | undefined> {
  const [row] = await sql`
    select id, name, null as role, deleted_at from accounts where id = ${accountId}`;
  return row && PersonAccountRow.parse(row);
}

export async function insert(sql: Sql | Tx, accountId: string, userId: string, role: Role): Promise<boolean> {
  const inserted = await sql`
    insert into memberships (account_id, user_id, role) values (${accountId}, ${userId}, ${role})
    on conflict do nothing returning user_id`;
  return inserted.length === 1;
}

/** Members and those invited, the first to join first. */
export async function list(sql: Sql | Tx, accountId: string, now: Date): Promise<MemberRow[]> {
  const rows = await sql`
    select u.id, 'active' as status, u.email, u.name, u.avatar, m.role, m.created_at, null as expires_at
    from memberships m join users u on u.id = m.user_id where m.account_id = ${accountId}
    union all
    select i.id, 'invited', i.email, '', null, i.role, i.created_at, i.expires_at
    from invitations i where i.account_id = ${accountId} and i.expires_at > ${now}
    order by status, created_at, id`;
  return z.array(MemberRow).parse(rows);
}

/** Holds the members of an account until the transaction ends, so that its last owner cannot go twice. */
export async function lockAccount(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`select id from accounts where id = ${accountId} for update`;
}

export async function setRole(sql: Sql | Tx, accountId: string, userId: string, role: Role): Promise<void> {
  await sql`update memberships set role = ${role} where account_id = ${accountId} and user_id = ${userId}`;
}

/** Ends a membership, the sessions that are signed in to the account, and the keys to it that the person holds. */
export async function remove(sql: Sql | Tx, accountId: string, userId: string): Promise<void> {
  await sql`
    update api_keys set revoked_at = now()
    where account_id = ${accountId} and made_by = ${userId} and revoked_at is null`;
  await sql`delete from sessions where account_id = ${accountId} and user_id = ${userId}`;
  await sql`delete from memberships where account_id = ${accountId} and user_id = ${userId}`;
}

/** Invites an address, or changes the invitation it has. */
export async function invite(sql: Sql | Tx, accountId: string, row: NewInvitation): Promise<void> {
  await sql`
    insert into invitations (id, account_id, email, role, invited_by, expires_at, token_sha256)
    values (${row.id}, ${accountId}, ${row.email}, ${row.role}, ${row.invited_by}, ${row.expires_at},
      ${row.token_sha256})
    on conflict (account_id, email) do update
    set role = excluded.role, invited_by = excluded.invited_by, expires_at = excluded.expires_at,
      token_sha256 = excluded.token_sha256`;
}

export async function setInvitedRole(
  sql: Sql | Tx,
  accountId: string,
  id: string,
  role: Role,
): Promise<void> {
  await sql`update invitations set role = ${role} where account_id = ${accountId} and id = ${id}`;
}

export async function deleteInvitation(sql: Sql | Tx, accountId: string, id: string): Promise<void> {
  await sql`delete from invitations where account_id = ${accountId} and id = ${id}`;
}

const InviterRow = z.object({
  account_name: z.string(),
  email: z.string().nullable(),
  language: z.enum(['en', 'es']).nullable().catch(null),
});

/** Whom an invitation is from: the account, and the person unless a key invites. */
export async function findInviter(
  sql: Sql | Tx,
  accountId: string,
  userId: string | null,
): Promise<z.output<typeof InviterRow> | undefined> {
  const [row] = await sql`
    select a.name as account_name, u.email, u.language
    from accounts a
    left join memberships m on m.account_id = a.id and m.user_id = ${userId}::text
    left join users u on u.id = m.user_id
    where a.id = ${accountId}`;
  return row && InviterRow.parse(row);
}

/** Whether every owner who has an address has shown that it is theirs. */
export async function hasVerifiedOwners(sql: Sql | Tx, accountId: string): Promise<boolean> {
  const unproved = await sql`
    select 1 from memberships m join users u on u.id = m.user_id
    where m.account_id = ${accountId} and m.role = 'owner' and u.email is not null and not u.email_verified`;
  return unproved.length === 0;
}

/** Tells every node to forget what it knows of people who are signed in, and of the keys they hold. */
export async function notifyChanged(sql: Sql | Tx): Promise<void> {
  await sql`select pg_notify('sessions', ''), pg_notify('api_keys', '')`;
}

/** Whether an address is invited to any account. */
export async function isInvited(sql: Sql | Tx, email: string, now: Date): Promise<boolean> {
  const rows = await sql`
    select 1 from invitations where email = ${email} and expires_at > ${now}::timestamptz limit 1`;
  return rows.length === 1;
}
