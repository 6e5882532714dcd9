import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';

const AccountRow = z.object({ id: z.string(), name: z.string() });
export type TakenOverRow = z.output<typeof AccountRow>;

const Holdings = z.object({
  templates: z.number(),
  videos: z.number(),
  video_templates: z.number(),
  generations: z.number(),
  brand_voices: z.number(),
  stores: z.number(),
  sheets: z.number(),
  webhooks: z.number(),
  subscriptions: z.number(),
});
/** How much of each an account has, without what every new account has. */
export type Holdings = z.output<typeof Holdings>;

/** The SQL of accounts whose address someone has verified after another one had registered it. */

/** The accounts a person owns and has not said what to keep of. */
export async function pending(sql: Sql | Tx, userId: string): Promise<TakenOverRow[]> {
  const rows = await sql`
    select a.id, a.name from accounts a join memberships m on m.account_id = a.id
    where m.user_id = ${userId} and m.role = 'owner' and a.taken_over_at is not null and a.deleted_at is null
    order by a.id`;
  return z.array(AccountRow).parse(rows);
}

export async function holdings(sql: Sql | Tx, accountId: string): Promise<Holdings> {
  const [row] = await sql`
    select
      (select count(distinct v.template_id)::int from versions v
        where v.account_id = ${accountId} and v.author <> 'stallhand') as templates,
      (select count(*)::int from videos where account_id = ${accountId}) as videos,
      (select count(*)::int from video_templates where account_id = ${accountId}) as video_templates,
      (select count(*)::int from generations where account_id = ${accountId}) as generations,
      (select count(*)::int from brand_voices where account_id = ${accountId}) as brand_voices,
      (select count(*)::int from sync_stores where account_id = ${accountId}) as stores,
      (select count(*)::int from sync_sheets where account_id = ${accountId}) as sheets,
      (select count(*)::int from webhooks where account_id = ${accountId}) as webhooks,
      (select count(*)::int from subscriptions
        where account_id = ${accountId} and status not in ('canceled', 'incomplete_expired')) as subscriptions`;
  return Holdings.parse(row);
}

/** True while the person has not answered. Held until the transaction ends. */
export async function lockPending(tx: Tx, accountId: string): Promise<boolean> {
  const rows = await tx`
    select id from accounts where id = ${accountId} and taken_over_at is not null for update`;
  return rows.length === 1;
}

/** The person goes on in another account, with the sessions they have. */
export async function moveSessions(tx: Tx, userId: string, fromId: string, toId: string): Promise<void> {
  await tx`update sessions set account_id = ${toId} where user_id = ${userId} and account_id = ${fromId}`;
}

export async function resetPerson(tx: Tx, userId: string, name: string): Promise<void> {
  await tx`update users set name = ${name}, avatar = null where id = ${userId}`;
}
