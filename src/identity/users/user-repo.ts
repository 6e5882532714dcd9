import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { ROLES } from '../caller.ts';
import type { VerifiedIdentity } from './external-users.ts';

const UserRow = z.object({
  id: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  password_hash: z.string().nullable(),
});
export type UserRow = z.output<typeof UserRow>;

export type NewUserRow = UserRow & {
  readonly name: string;
  readonly language: string;
  /** How the person came first. */
  readonly auth_provider: 'password' | 'code';
};

/** The SQL of people who sign in with an email address. Inside a transaction give it `tx`. */

const PersonRow = UserRow.extend({ email: z.string().nullable() });
/** Any person, also one without an address. */
export type PersonRow = z.output<typeof PersonRow>;

export async function findById(sql: Sql | Tx, id: string): Promise<PersonRow | undefined> {
  const [row] = await sql`select id, email, email_verified, password_hash from users where id = ${id}`;
  return row && PersonRow.parse(row);
}

/** Holds a person until the transaction ends. */
export async function lockPerson(sql: Sql | Tx, id: string): Promise<void> {
  await sql`select id from users where id = ${id} for update`;
}

export async function findByEmail(sql: Sql | Tx, email: string): Promise<UserRow | undefined> {
  const [row] = await sql`
    select id, email, email_verified, password_hash from users where email = ${email}`;
  return row && UserRow.parse(row);
}

/** The same, held until the transaction ends. */
export async function lock(sql: Sql | Tx, id: string): Promise<UserRow | undefined> {
  const [row] = await sql`
    select id, email, email_verified, password_hash from users
    where id = ${id} and email is not null for update`;
  return row && UserRow.parse(row);
}

/** False when the address has a user already. */
export async function insert(sql: Sql | Tx, row: NewUserRow): Promise<boolean> {
  const inserted = await sql`
    insert into users (id, email, email_verified, password_hash, name, language, auth_provider)
    values (${row.id}, ${row.email}, ${row.email_verified}, ${row.password_hash}, ${row.name}, ${row.language},
      ${row.auth_provider})
    on conflict do nothing returning id`;
  return inserted.length === 1;
}

/** Marks the address as verified and replaces the password hash; null removes the password. */
export async function markVerified(sql: Sql | Tx, id: string, passwordHash: string | null): Promise<void> {
  await sql`update users set email_verified = true, password_hash = ${passwordHash} where id = ${id}`;
}

export async function setPassword(sql: Sql | Tx, id: string, passwordHash: string): Promise<void> {
  await sql`update users set password_hash = ${passwordHash} where id = ${id}`;
}

/** False when another user has the address. */
export async function setEmail(sql: Sql | Tx, id: string, email: string): Promise<boolean> {
  const changed = await sql`
    update users set email = ${email}, email_verified = true
    where id = ${id} and not exists (select from users other where other.email = ${email} and other.id <> ${id})
    returning id`;
  return changed.length === 1;
}

/** Ends the keys and connected apps of the accounts a person owns. */
export async function revokeKeys(sql: Sql | Tx, id: string): Promise<void> {
  await sql`
    update api_keys set revoked_at = now()
    where revoked_at is null
      and account_id in (select account_id from memberships where user_id = ${id} and role = 'owner')`;
  await sql`
    delete from connected_apps where user_id = ${id}
      or account_id in (select account_id from memberships where user_id = ${id} and role = 'owner')`;
  await sql`select pg_notify('api_keys', ''), pg_notify('connected_apps', '')`;
}

const ExternalUserRow = z.object({ id: z.string(), email: z.string().nullable(), name: z.string() });
export type ExternalUserRow = z.output<typeof ExternalUserRow>;

/** The SQL of people whom an identity provider signs in. Inside a transaction give it `tx`. */

export async function findExternal(
  sql: Sql | Tx,
  { issuer, subject }: VerifiedIdentity,
): Promise<ExternalUserRow | undefined> {
  const [row] = await sql`
    select id, email, name from users where oidc_issuer = ${issuer} and oidc_subject = ${subject}`;
  return row && ExternalUserRow.parse(row);
}

/** Holds the user until the transaction ends. */
export async function lockExternal(sql: Sql | Tx, id: string): Promise<void> {
  await sql`select id from users where id = ${id} for update`;
}

/** Makes the user unless there is one; an address that another user has stays theirs. */
export async function insertExternal(sql: Sql | Tx, id: string, identity: VerifiedIdentity): Promise<void> {
  const { issuer, subject, email, name, avatar } = identity;
  await sql`
    insert into users
      (id, email, email_verified, name, avatar, auth_provider, oidc_issuer, oidc_subject, oidc_claims)
    select ${id}, free.email, free.email is not null, ${name ?? ''}, ${avatar}, 'oidc', ${issuer}, ${subject},
      ${sql.json(claimsOf(identity))}
    from (
      select case when exists (select from users where email = ${email}::text) then null else ${email}::text end
    ) free (email)
    on conflict (oidc_issuer, oidc_subject) do nothing`;
}

/** Takes over what the provider tells now and did not tell before. */
export async function refreshExternal(sql: Sql | Tx, id: string, identity: VerifiedIdentity): Promise<void> {
  const claims = sql.json(claimsOf(identity));
  await sql`
    update users set
      name = case when said.name is distinct from oidc_claims ->> 'name'
        then coalesce(said.name, users.name) else users.name end,
      avatar = case when said.avatar is distinct from oidc_claims ->> 'avatar'
        then coalesce(said.avatar, users.avatar) else users.avatar end,
      email = case
        when said.email is null then users.email
        when exists (select from users other where other.email = said.email and other.id <> users.id) then null
        else said.email end,
      email_verified = said.email is not null or users.email_verified,
      oidc_claims = coalesce(oidc_claims, '{}') || said.claims
    from (
      select claims, claims ->> 'name' as name, claims ->> 'avatar' as avatar, claims ->> 'email' as email
      from (select ${claims}::jsonb as claims) given
    ) said
    where users.id = ${id} and not coalesce(oidc_claims, '{}') @> said.claims`;
}

export async function insertAccount(sql: Sql | Tx, id: string, name: string): Promise<void> {
  await sql`insert into accounts (id, name) values (${id}, ${name})`;
}

/** What a token says of the person, without what it leaves out: another token may have told that. */
function claimsOf({ email, name, avatar }: VerifiedIdentity): Record<string, string> {
  return { ...(email && { email }), ...(name && { name }), ...(avatar && { avatar }) };
}

const ProfileRow = z.object({
  account_id: z.string(),
  account_name: z.string(),
  account_created_at: z.date(),
  user_id: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  avatar: z.string().nullable(),
  language: z.string().nullable(),
  auth_provider: z.string().nullable(),
  created_at: z.date().nullable(),
  role: z.enum(ROLES).nullable(),
});
export type ProfileRow = z.output<typeof ProfileRow>;

type UserChanges = { name: string | null; language: string | null; avatar: string | null };

/** The SQL of how a person, or an account without one, shows. Inside a transaction give it `tx`. */

/** The account and the person who acts in it. */
export async function findProfile(
  sql: Sql | Tx,
  accountId: string,
  userId: string | null,
): Promise<ProfileRow | undefined> {
  const [row] = await sql`
    select a.id as account_id, a.name as account_name, a.created_at as account_created_at,
      u.id as user_id, u.name, u.email, u.avatar, u.language, u.auth_provider, u.created_at, m.role
    from accounts a
    left join memberships m on m.account_id = a.id and m.user_id = ${userId}::text
    left join users u on u.id = m.user_id
    where a.id = ${accountId}`;
  return row && ProfileRow.parse(row);
}

/** Until the transaction ends, no other transaction can change the person. */
export async function lockMember(sql: Sql | Tx, accountId: string, userId: string): Promise<void> {
  await sql`
    select u.id from users u join memberships m on m.user_id = u.id
    where m.account_id = ${accountId} and u.id = ${userId} for update of u`;
}

/** Until the transaction ends, no other transaction can change the account. */
export async function lockAccount(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`select id from accounts where id = ${accountId} for update`;
}

/** Null leaves a field as it is. Changes only a member of the account. */
export async function updateMember(
  sql: Sql | Tx,
  accountId: string,
  userId: string,
  { name, language, avatar }: UserChanges,
): Promise<void> {
  await sql`
    update users set name = coalesce(${name}, name), language = coalesce(${language}, language),
      avatar = coalesce(${avatar}, avatar)
    where id = ${userId}
      and exists (select from memberships where account_id = ${accountId} and user_id = users.id)`;
}

export async function renameAccount(sql: Sql | Tx, accountId: string, name: string): Promise<void> {
  await sql`update accounts set name = ${name} where id = ${accountId}`;
}
