import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';

const SecretRow = z.object({ sealed_secret: z.string(), confirmed_at: z.date().nullable() });
type SecretRow = z.output<typeof SecretRow>;

/** The SQL of authenticator apps and recovery codes. They belong to a person. Inside a transaction give it `tx`. */

/** The person's secret, confirmed or not. */
export async function find(sql: Sql | Tx, userId: string): Promise<SecretRow | undefined> {
  const [row] = await sql`select sealed_secret, confirmed_at from totp_secrets where user_id = ${userId}`;
  return row && SecretRow.parse(row);
}

export async function isOn(sql: Sql | Tx, userId: string): Promise<boolean> {
  const rows = await sql`
    select user_id from totp_secrets where user_id = ${userId} and confirmed_at is not null`;
  return rows.length === 1;
}

/** Replaces a secret that is not confirmed. False if there is a confirmed one. */
export async function putSecret(sql: Sql | Tx, userId: string, sealed: string): Promise<boolean> {
  const put = await sql`
    insert into totp_secrets (user_id, sealed_secret) values (${userId}, ${sealed})
    on conflict (user_id) do update set sealed_secret = excluded.sealed_secret
    where totp_secrets.confirmed_at is null returning user_id`;
  return put.length === 1;
}

/** False if the secret was replaced or confirmed since. */
export async function confirm(
  sql: Sql | Tx,
  userId: string,
  row: { readonly sealed: string; readonly step: number; readonly now: Date },
): Promise<boolean> {
  const confirmed = await sql`
    update totp_secrets set confirmed_at = ${row.now}, last_step = ${row.step}
    where user_id = ${userId} and sealed_secret = ${row.sealed} and confirmed_at is null returning user_id`;
  return confirmed.length === 1;
}

/** True once for a step, and never for an earlier one. */
export async function takeStep(sql: Sql | Tx, userId: string, step: number): Promise<boolean> {
  const taken = await sql`
    update totp_secrets set last_step = ${step}
    where user_id = ${userId} and confirmed_at is not null and last_step < ${step} returning user_id`;
  return taken.length === 1;
}

export async function insertRecoveryCodes(
  sql: Sql | Tx,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await sql`
    insert into recovery_codes (user_id, code_sha256) select ${userId}, unnest(${[...hashes]}::text[])`;
}

/** True once for a code. */
export async function takeRecoveryCode(sql: Sql | Tx, userId: string, sha256: string): Promise<boolean> {
  const taken = await sql`
    delete from recovery_codes where user_id = ${userId} and code_sha256 = ${sha256} returning user_id`;
  return taken.length === 1;
}

export async function countRecoveryCodes(sql: Sql | Tx, userId: string): Promise<number> {
  const [row] = await sql`select count(*)::int as left from recovery_codes where user_id = ${userId}`;
  return z.number().parse(row?.['left']);
}

/** Turns the authenticator app off. */
export async function removeTotp(sql: Sql | Tx, userId: string): Promise<void> {
  await sql`delete from totp_secrets where user_id = ${userId}`;
  await sql`delete from recovery_codes where user_id = ${userId}`;
}

/**
 * Removes every way to sign in besides the mailbox, with what is in progress: a stranger may have added them before the
 * owner of the address came.
 */
export async function removeAll(sql: Sql | Tx, userId: string): Promise<void> {
  await removeTotp(sql, userId);
  await sql`delete from passkeys where user_id = ${userId}`;
  await sql`delete from linked_identities where user_id = ${userId}`;
  await sql`delete from sign_in_challenges where user_id = ${userId}`;
}
