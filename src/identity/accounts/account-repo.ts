import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';

const AccountRow = z.object({ id: z.string(), name: z.string(), seeded: z.boolean() });
export type AccountRow = z.output<typeof AccountRow>;

/** The SQL of accounts. */

export async function findLocal(sql: Sql | Tx): Promise<AccountRow | undefined> {
  const [row] = await sql`select id, name, seeded from accounts where is_local`;
  return row && AccountRow.parse(row);
}

export async function insert(
  sql: Sql | Tx,
  row: { id: string; name: string; is_local: boolean },
): Promise<boolean> {
  const inserted = await sql`
    insert into accounts (id, name, is_local) values (${row.id}, ${row.name}, ${row.is_local})
    on conflict do nothing returning id`;
  return inserted.length === 1;
}

export async function markSeeded(sql: Sql | Tx, id: string): Promise<void> {
  await sql`update accounts set seeded = true where id = ${id}`;
}

export async function find(sql: Sql | Tx, id: string): Promise<AccountRow | undefined> {
  const [row] = await sql`select id, name, seeded from accounts where id = ${id}`;
  return row && AccountRow.parse(row);
}

const AccountStateRow = z.object({ deleted_at: z.date().nullable(), taken_over_at: z.date().nullable() });
export type AccountStateRow = z.output<typeof AccountStateRow>;

export async function findState(sql: Sql | Tx, id: string): Promise<AccountStateRow | undefined> {
  const [row] = await sql`select deleted_at, taken_over_at from accounts where id = ${id}`;
  return row && AccountStateRow.parse(row);
}

const LockedAccountRow = z.object({
  id: z.string(),
  name: z.string(),
  is_local: z.boolean(),
  deleted_at: z.date().nullable(),
});

/** The SQL of the end of an account, in its transaction. */

export async function lockForDeletion(tx: Tx, accountId: string) {
  const [row] =
    await tx`select id, name, is_local, deleted_at from accounts where id = ${accountId} for update`;
  return row && LockedAccountRow.parse(row);
}

export async function isOwner(tx: Tx, accountId: string, userId: string): Promise<boolean> {
  const rows = await tx`
    select 1 from memberships where account_id = ${accountId} and user_id = ${userId} and role = 'owner'`;
  return rows.length === 1;
}

/** A large account takes longer than a statement may otherwise; only this transaction is given the time. */
export async function raiseStatementTimeout(tx: Tx): Promise<void> {
  await tx`select set_config('statement_timeout', '300s', true)`;
}

/** People who belong nowhere else. */
export async function deleteSoleMembers(tx: Tx, accountId: string): Promise<void> {
  await tx`
    delete from users where id in (select user_id from memberships where account_id = ${accountId})
      and not exists (select from memberships m where m.user_id = users.id and m.account_id <> ${accountId})`;
}

/** The account, and by the foreign keys everything that names it. */
export async function deleteAccount(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from accounts where id = ${accountId}`;
}

/** Tells every node to forget what it knows of keys, of people who are signed in, and of the account's plan and state. */
export async function notifyDeleted(tx: Tx, accountId: string): Promise<void> {
  await tx`
    select pg_notify('api_keys', ''), pg_notify('sessions', ''), pg_notify('entitlements', ${accountId}),
      pg_notify('accounts', ${accountId})`;
}

/** Null restores the account. */
export async function setDeleted(tx: Tx, accountId: string, at: Date | null): Promise<void> {
  await tx`update accounts set deleted_at = ${at} where id = ${accountId}`;
}

/** Accounts that were deleted so long ago that they cannot be restored; the longest first. */
export async function deletedBefore(sql: Sql, moment: Date, limit: number): Promise<string[]> {
  const rows = await sql`
    select id from accounts where deleted_at <= ${moment} order by deleted_at limit ${limit}`;
  return rows.map(({ id }) => String(id));
}

const OwnerRow = z.object({ email: z.string(), language: z.string().nullable() });

/** Owners with a verified address, to write to. */
export async function owners(sql: Sql, accountId: string): Promise<z.output<typeof OwnerRow>[]> {
  const rows = await sql`
    select u.email, u.language from memberships m join users u on u.id = m.user_id
    where m.account_id = ${accountId} and m.role = 'owner' and u.email is not null and u.email_verified
    order by u.email`;
  return z.array(OwnerRow).parse(rows);
}

/** Marks the accounts of a person whose address another one had registered; null: they have said what to keep. */
export async function setTakenOver(tx: Tx, userId: string, at: Date | null): Promise<void> {
  await tx`
    with changed as (
      update accounts set taken_over_at = ${at}
      where not is_local
        and id in (select account_id from memberships where user_id = ${userId} and role = 'owner')
      returning id)
    select pg_notify('accounts', id) from changed`;
}
