import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';

const AccountEntry = z.object({
  id: z.string(),
  name: z.string(),
  /** Addresses of the owners. */
  owners: z.array(z.string()),
  created_at: z.date(),
  deleted_at: z.date().nullable(),
});
export type AccountEntry = z.output<typeof AccountEntry>;

const AccountCounts = z.object({
  members: z.number(),
  keys: z.number(),
  templates: z.number(),
  videos: z.number(),
  stores: z.number(),
  sheets: z.number(),
  syncs: z.number(),
  unfinished_work: z.number(),
});
export type AccountCounts = z.output<typeof AccountCounts>;

export const WORK_STATES = ['waiting', 'queued', 'running', 'failed'] as const;
export type WorkState = (typeof WORK_STATES)[number];
export const WORK_KINDS = ['job', 'video', 'run'] as const;

const WorkEntry = z.object({
  id: z.string(),
  kind: z.enum(WORK_KINDS),
  account_id: z.string(),
  /** The tool of a job, the template of a video, what began a run. */
  what: z.string(),
  state: z.enum(WORK_STATES),
  /** The key of the error of failed work. */
  error: z.string().nullable(),
  created_at: z.date(),
  finished_at: z.date().nullable(),
});
export type WorkEntry = z.output<typeof WorkEntry>;

const SyncEntry = z.object({
  id: z.string(),
  account_id: z.string(),
  store: z.string(),
  sheet: z.string(),
  direction: z.string(),
  enabled: z.boolean(),
  store_status: z.string(),
  sheet_status: z.string(),
  /** What the owners were last told: held, failed or paused. */
  notice: z.string().nullable(),
  next_at: z.date().nullable(),
});
export type SyncEntry = z.output<typeof SyncEntry>;

const ConnectionEntry = z.object({
  id: z.string(),
  kind: z.enum(['store', 'sheet']),
  account_id: z.string(),
  name: z.string(),
  status: z.string(),
  updated_at: z.date(),
});
export type ConnectionEntry = z.output<typeof ConnectionEntry>;

const UsageEntry = z.object({
  account_id: z.string(),
  name: z.string(),
  hooks: z.number(),
  videos: z.number(),
  sync_runs: z.number(),
  ai_usd: z.number(),
});
export type UsageEntry = z.output<typeof UsageEntry>;

/** The SQL of what the operator sees across accounts. No caller of the API reaches it. */

export async function listAccounts(
  sql: Sql | Tx,
  { query, limit }: { readonly query: string | null; readonly limit: number },
): Promise<AccountEntry[]> {
  const rows = await sql`
    select a.id, a.name, a.created_at, a.deleted_at, array(
      select coalesce(u.email, u.id) from memberships m join users u on u.id = m.user_id
      where m.account_id = a.id and m.role = 'owner' order by u.email) as owners
    from accounts a
    where ${query}::text is null or a.id = ${query}::text or strpos(lower(a.name), lower(${query}::text)) > 0 or exists (
      select from memberships m join users u on u.id = m.user_id
      where m.account_id = a.id and strpos(u.email, lower(${query}::text)) > 0)
    order by a.created_at desc, a.id limit ${limit}`;
  return z.array(AccountEntry).parse(rows);
}

/** By its ID alone: anyone may call their account what they like. */
export async function findAccount(sql: Sql | Tx, id: string): Promise<AccountEntry | undefined> {
  const [row] = await sql`
    select a.id, a.name, a.created_at, a.deleted_at, array(
      select coalesce(u.email, u.id) from memberships m join users u on u.id = m.user_id
      where m.account_id = a.id and m.role = 'owner' order by u.email) as owners
    from accounts a where a.id = ${id}`;
  return row && AccountEntry.parse(row);
}

export async function countAccount(sql: Sql | Tx, accountId: string): Promise<AccountCounts> {
  const [row] = await sql`
    select
      (select count(*)::int from memberships where account_id = ${accountId}) as members,
      (select count(*)::int from api_keys where account_id = ${accountId} and revoked_at is null) as keys,
      (select count(*)::int from templates where account_id = ${accountId} and deleted_at is null) as templates,
      (select count(*)::int from videos where account_id = ${accountId}) as videos,
      (select count(*)::int from sync_stores where account_id = ${accountId}) as stores,
      (select count(*)::int from sync_sheets where account_id = ${accountId}) as sheets,
      (select count(*)::int from sync_configs where account_id = ${accountId} and not implicit) as syncs,
      (select count(*)::int from jobs where account_id = ${accountId} and finished_at is null)
        + (select count(*)::int from videos where account_id = ${accountId} and ended_at is null)
        + (select count(*)::int from sync_runs where account_id = ${accountId} and finished_at is null) as unfinished_work`;
  return AccountCounts.parse(row);
}

/** Jobs, videos and sync runs in these states, the newest first; of all accounts if none is given. */
export async function listWork(
  sql: Sql | Tx,
  { states, accountId, limit }: { states: readonly WorkState[]; accountId: string | null; limit: number },
): Promise<WorkEntry[]> {
  const rows = await sql`
    select * from (
      (select id, 'job' as kind, account_id, tool as what, status as state, error ->> 'key' as error, created_at, finished_at
        from jobs where status <> 'completed' and status <> 'canceled')
      union all
      (select id, 'video', account_id, template, case status when 'pending' then 'queued' when 'failed' then 'failed'
          else 'running' end, error ->> 'key', created_at, ended_at
        from videos where status <> 'completed' and status <> 'canceled')
      union all
      (select id, 'run', account_id, trigger, case status when 'awaiting_confirmation' then 'waiting' when 'queued' then 'queued'
          when 'failed' then 'failed' else 'running' end, errors -> 0 ->> 'code', created_at, finished_at
        from sync_runs where status in ('queued', 'planning', 'awaiting_confirmation', 'applying', 'failed'))) work
    where state = any(${[...states]}::text[]) and (${accountId}::text is null or account_id = ${accountId}::text)
    order by created_at desc, id limit ${limit}`;
  return z.array(WorkEntry).parse(rows);
}

/** Whose a job, video or sync run is. */
export async function findWork(sql: Sql | Tx, id: string) {
  const [row] = await sql`
    select account_id, 'job' as kind from jobs where id = ${id}
    union all select account_id, 'video' from videos where id = ${id}
    union all select account_id, 'run' from sync_runs where id = ${id}`;
  return row && WorkEntry.pick({ account_id: true, kind: true }).parse(row);
}

/** Sync configurations; `stopped`: only those that do not run automatically, or whose owner has a notice of a problem. */
export async function listSyncs(
  sql: Sql | Tx,
  { stopped, accountId, limit }: { stopped: boolean; accountId: string | null; limit: number },
): Promise<SyncEntry[]> {
  const rows = await sql`
    select c.id, c.account_id, s.domain as store, h.name as sheet, c.direction, c.enabled, s.status as store_status,
      h.status as sheet_status, c.notice, c.next_at
    from sync_configs c join sync_stores s on s.id = c.store_id join sync_sheets h on h.id = c.sheet_id
    where not c.implicit and (${accountId}::text is null or c.account_id = ${accountId}::text)
      and (not ${stopped}::boolean or not c.enabled or c.notice is not null or s.status <> 'connected' or h.status <> 'connected')
    order by c.seq desc limit ${limit}`;
  return z.array(SyncEntry).parse(rows);
}

/** Whose a sync configuration is. */
export async function findSync(sql: Sql | Tx, id: string): Promise<string | undefined> {
  const [row] = await sql`select account_id from sync_configs where id = ${id}`;
  return row && z.object({ account_id: z.string() }).parse(row).account_id;
}

/** Connected stores and sheets, those that changed last first. */
export async function listConnections(
  sql: Sql | Tx,
  { status, accountId, limit }: { status: string | null; accountId: string | null; limit: number },
): Promise<ConnectionEntry[]> {
  const rows = await sql`
    select * from (
      select id, 'store' as kind, account_id, domain as name, status, updated_at from sync_stores
      union all
      select id, 'sheet', account_id, name, status, updated_at from sync_sheets) connections
    where (${status}::text is null or status = ${status}::text)
      and (${accountId}::text is null or account_id = ${accountId}::text)
    order by updated_at desc, id limit ${limit}`;
  return z.array(ConnectionEntry).parse(rows);
}

/** What accounts used in a month (`YYYY-MM`, UTC); the largest AI cost first. Accounts that used nothing are left out. */
export async function listUsage(
  sql: Sql | Tx,
  { month, accountId, limit }: { month: string; accountId: string | null; limit: number },
): Promise<UsageEntry[]> {
  const rows = await sql`
    with month as (select ${`${month}-01`}::date as first, (${`${month}-01`}::date + interval '1 month')::date as next)
    select * from (
      select a.id as account_id, a.name,
        coalesce((select used from quota_months where account_id = a.id and month = ${month}), 0) as hooks,
        (select count(*)::int from videos, month
          where account_id = a.id and created_at >= first and created_at < next) as videos,
        (select count(*)::int from sync_runs, month
          where account_id = a.id and created_at >= first and created_at < next) as sync_runs,
        (select coalesce(sum(used), 0)::double precision / 1000000000 from ai_account_days, month
          where account_id = a.id and day >= first and day < next) as ai_usd
      from accounts a where ${accountId}::text is null or a.id = ${accountId}::text) usage
    where hooks + videos + sync_runs > 0 or ai_usd > 0
    order by ai_usd desc, hooks desc, account_id limit ${limit}`;
  return z.array(UsageEntry).parse(rows);
}

/** The person with an address, and the accounts they belong to. */
export async function findPerson(sql: Sql | Tx, email: string) {
  const [row] = await sql`
    select u.id, array(select m.account_id from memberships m where m.user_id = u.id order by m.created_at) as accounts
    from users u where u.email = ${email}`;
  return row && z.object({ id: z.string(), accounts: z.array(z.string()) }).parse(row);
}
