import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

// The SQL of what AI models cost. Amounts are billionths of a US dollar; a limit of null is none.

/** Amounts for the server and for the account; null is none. */
type Both = { readonly server: number | null; readonly account: number | null };

/**
 * Adds `amount` to what the server and the account have used of a day, unless that exceeds one of the `levels`; or, with a
 * `cost`, replaces the amount with it, and warns at the levels.
 */
export type SpendingChange = {
  readonly accountId: string;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly amount: number;
  readonly cost: number | null;
  readonly levels: Both;
};

const Changed = z.object({
  /** Whose limit refuses the amount; `first` when it has refused nothing before on this day. */
  refused_by: z.enum(['server', 'account']).nullable().default(null),
  first: z.boolean().default(false),
  /** The level was reached, for the first time on this day. */
  server_warned: z.boolean().default(false),
  account_warned: z.boolean().default(false),
});
export type Changed = z.output<typeof Changed>;

const Row = z.object({ outcome: Changed });

/** Makes the changes in their order, all or none. Returns the outcome of each. */
export async function changeAmounts(sql: Sql, changes: readonly SpendingChange[]): Promise<Changed[]> {
  const rows = changes.map(({ accountId: account_id, day, amount, cost, levels }) => {
    return { account_id, day, amount, cost, server_level: levels.server, account_level: levels.account };
  });
  // A cost that a crash forgets leaves the amount, which is more; what is reserved must be on the disk.
  const isSettling = changes.every(({ cost }) => cost !== null);
  const changed = await sql`
    with commit as materialized (
      select case when ${isSettling} then set_config('synchronous_commit', 'off', true) end
    ), given as materialized (
      select * from rows from (jsonb_to_recordset(${sql.json(rows)}::jsonb)
        as (account_id text, day date, amount bigint, cost bigint, server_level bigint, account_level bigint))
        with ordinality as one (account_id, day, amount, cost, server_level, account_level, nth)
    ), changed as materialized (
      select nth,
        case when cost is null
          then to_jsonb(ai_reserve(account_id, day, amount, server_level, account_level))
          else to_jsonb(ai_settle(account_id, day, amount, cost, server_level, account_level))
        end as outcome
      from given
    )
    select outcome from changed, commit order by nth`;
  return z
    .array(Row)
    .parse(changed)
    .map(({ outcome }) => outcome);
}

/** Deletes the days before this one, of the server and of every account. */
export async function deleteDaysBefore(sql: Sql, day: string): Promise<void> {
  await sql`delete from ai_account_days where day < ${day}::date`;
  await sql`delete from ai_days where day < ${day}::date`;
}
