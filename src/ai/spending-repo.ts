import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

// The SQL of what AI models cost. Amounts are billionths of a US dollar; a limit of null is none.

const Reserved = z.object({ refused_by: z.enum(['server', 'account']).nullable(), first: z.boolean() });
const Settled = z.object({ server_warned: z.boolean(), account_warned: z.boolean() });

/** An amount for the server and for the account, with their limits. */
type Both = { readonly server: number | null; readonly account: number | null };

/** Adds an amount to what the server and the account have used of a day, unless that exceeds a limit. */
export async function reserveAmount(sql: Sql, accountId: string, day: string, amount: number, limits: Both) {
  const [row] = await sql`
    select refused_by, first
    from ai_reserve(${accountId}, ${day}::date, ${amount}::bigint, ${limits.server}::bigint, ${limits.account}::bigint)`;
  return Reserved.parse(row);
}

/** Replaces a reserved amount with what the call cost. Tells which warning level was reached for the first time. */
export async function settleAmount(
  sql: Sql,
  accountId: string,
  day: string,
  { reserved, cost, warnAt }: { reserved: number; cost: number; warnAt: Both },
) {
  const [row] = await sql`
    select server_warned, account_warned
    from ai_settle(${accountId}, ${day}::date, ${reserved}::bigint, ${cost}::bigint, ${warnAt.server}::bigint,
      ${warnAt.account}::bigint)`;
  return Settled.parse(row);
}

/** Deletes the days before this one, of the server and of every account. */
export async function deleteDaysBefore(sql: Sql, day: string): Promise<void> {
  await sql`delete from ai_account_days where day < ${day}::date`;
  await sql`delete from ai_days where day < ${day}::date`;
}
