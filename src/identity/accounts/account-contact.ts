import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';

const ContactRow = z.object({
  account_id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  language: z.string().nullable(),
});

/** Whom to write to about an account. */
type AccountContact = {
  readonly name: string;
  readonly email: string | null;
  readonly language: string | null;
};

/**
 * Names and addresses of accounts: of several owners, the first one with a verified address, or else with any. Null where
 * no owner has an address.
 */
export function createContactsOf({ sql }: { readonly sql: Sql }) {
  return async (accountIds: readonly string[]): Promise<ReadonlyMap<string, AccountContact>> => {
    const rows = await sql`
      select distinct on (a.id) a.id as account_id, a.name, u.email, u.language
      from accounts a
      left join memberships m on m.account_id = a.id and m.role = 'owner'
      left join users u on u.id = m.user_id
      where a.id = any(${[...accountIds]}::text[])
      order by a.id, (u.email is not null) desc, u.email_verified desc nulls last, m.created_at, u.id`;
    return new Map(
      rows.map((row) => {
        const { account_id, ...contact } = ContactRow.parse(row);
        return [account_id, contact] as const;
      }),
    );
  };
}
