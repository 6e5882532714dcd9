import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import { idsOf } from '../platform/database/ids-of.ts';

const AuditRow = z.object({
  seq: z.number(),
  id: z.string(),
  actor: z.string(),
  action: z.string(),
  target: z.string(),
  from_value: z.string().nullable(),
  to_value: z.string().nullable(),
  detail: z.record(z.string(), z.json()),
  created_at: z.date(),
});
export type AuditRow = z.output<typeof AuditRow>;
export type NewAuditRow = Omit<AuditRow, 'seq' | 'created_at'>;

/** The SQL of the audit log: rows are added, read and at last deleted, never changed. */

export async function insert(sql: Sql | Tx, accountId: string, row: NewAuditRow): Promise<void> {
  await sql`
    insert into audit_events (id, account_id, actor, action, target, from_value, to_value, detail)
    values (${row.id}, ${accountId}, ${row.actor}, ${row.action}, ${row.target}, ${row.from_value},
      ${row.to_value}, ${sql.json(row.detail)})`;
}

export async function list(
  sql: Sql | Tx,
  accountId: string,
  filter: {
    target: string | null;
    action: string | null;
    actor: string | null;
    before: number;
    limit: number;
  },
): Promise<AuditRow[]> {
  const rows = await sql`
    select seq, id, actor, action, target, from_value, to_value, detail, created_at
    from audit_events
    where account_id = ${accountId} and seq < ${filter.before}
      and (${filter.target}::text is null or target = ${filter.target}::text)
      and (${filter.action}::text is null or action = ${filter.action}::text)
      and (${filter.actor}::text is null or actor = ${filter.actor}::text)
    order by seq desc limit ${filter.limit}`;
  return z.array(AuditRow).parse(rows);
}

/** Of these accounts, those whose oldest event is from before. */
export async function accountsWithOld(
  sql: Sql | Tx,
  accountIds: readonly string[],
  before: Date,
): Promise<string[]> {
  const rows = await sql`
    select a.id from unnest(${[...accountIds]}::text[]) a (id)
    where (select created_at from audit_events where account_id = a.id order by seq limit 1) < ${before}`;
  return idsOf(rows);
}

/** Deletes at most `limit` of the account's oldest events from before; returns how many. */
export async function deleteOld(
  sql: Sql | Tx,
  accountId: string,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await sql`
    delete from audit_events where seq in (
      select seq from (
        select seq, created_at from audit_events where account_id = ${accountId} order by seq limit ${limit}) oldest
      where created_at < ${before})`;
  return rows.count;
}
