import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import type { VerifiedIdentity } from './identity-provider.ts';

const ExternalUserRow = z.object({ id: z.string(), email: z.string().nullable(), name: z.string() });
export type ExternalUserRow = z.output<typeof ExternalUserRow>;

/** The SQL of people whom an identity provider signs in. Inside a transaction give it `tx`. */
export function createProvidedUserStore(sql: Sql | Tx) {
  return {
    async findExternal({ issuer, subject }: VerifiedIdentity): Promise<ExternalUserRow | undefined> {
      const [row] = await sql`
        select id, email, name from users where oidc_issuer = ${issuer} and oidc_subject = ${subject}`;
      return row && ExternalUserRow.parse(row);
    },

    /** Holds the user until the transaction ends. */
    async lockExternal(id: string): Promise<void> {
      await sql`select id from users where id = ${id} for update`;
    },

    /** Makes the user unless there is one; an address that another user has stays theirs. */
    async insertExternal(id: string, identity: VerifiedIdentity): Promise<void> {
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
    },

    /** Takes over what the provider tells now and did not tell before. */
    async refreshExternal(id: string, identity: VerifiedIdentity): Promise<void> {
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
    },

    async insertAccount(id: string, name: string): Promise<void> {
      await sql`insert into accounts (id, name) values (${id}, ${name})`;
    },
  };
}

/** What a token says of the person, without what it leaves out: another token may have told that. */
function claimsOf({ email, name, avatar }: VerifiedIdentity): Record<string, string> {
  return { ...(email && { email }), ...(name && { name }), ...(avatar && { avatar }) };
}
