import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';

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

const LockedAccountRow = z.object({ id: z.string(), name: z.string(), is_local: z.boolean() });

/** The SQL of the end of an account, in its transaction. */

export async function lockForDeletion(tx: Tx, accountId: string) {
  const [row] = await tx`select id, name, is_local from accounts where id = ${accountId} for update`;
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

/** Tells every node to forget what it knows of keys, of people who are signed in, and of the account's plan. */
export async function notifyDeleted(tx: Tx, accountId: string): Promise<void> {
  await tx`
    select pg_notify('api_keys', ''), pg_notify('sessions', ''), pg_notify('entitlements', ${accountId})`;
}
