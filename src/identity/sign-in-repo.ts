import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

const CodeRow = z.object({ code_mac: z.string(), name: z.string().nullable() });
export type CodeRow = z.output<typeof CodeRow>;

export type NewCodeRow = CodeRow & {
  readonly email: string;
  readonly tries_left: number;
  readonly created_at: Date;
  readonly expires_at: Date;
};

/** The SQL of sign-in codes. */
export function createSignInCodeStore(sql: Sql) {
  return {
    /** In the place of the one the address has. */
    async putCode(row: NewCodeRow): Promise<void> {
      await sql`
        insert into sign_in_codes (email, code_mac, name, tries_left, created_at, expires_at)
        values (${row.email}, ${row.code_mac}, ${row.name}, ${row.tries_left}, ${row.created_at}, ${row.expires_at})
        on conflict (email) do update
        set code_mac = excluded.code_mac, name = excluded.name, tries_left = excluded.tries_left,
          created_at = excluded.created_at, expires_at = excluded.expires_at`;
    },

    /** Takes one try of the live code of an address, and answers the code. */
    async takeAttempt(email: string, now: Date): Promise<CodeRow | undefined> {
      const [row] = await sql`
        update sign_in_codes set tries_left = tries_left - 1
        where email = ${email} and tries_left > 0 and expires_at > ${now} returning code_mac, name`;
      return row && CodeRow.parse(row);
    },

    /** True for one caller only. */
    async useCode(email: string, codeMac: string): Promise<boolean> {
      const used = await sql`
        delete from sign_in_codes where email = ${email} and code_mac = ${codeMac} returning email`;
      return used.length === 1;
    },

    async deleteExpiredCodes(now: Date): Promise<void> {
      await sql`delete from sign_in_codes where expires_at <= ${now}`;
    },
  };
}
