import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { CONSENT_PROVIDERS, type ConsentProviderName } from '../ports/consent.ts';

const GrantRow = z.object({
  id: z.string(),
  account_id: z.string(),
  provider: z.enum(CONSENT_PROVIDERS),
  subject: z.string(),
  label: z.string(),
  actor: z.string(),
  scopes: z.array(z.string()),
  /** Encrypted; null: ended. */
  tokens: z.string().nullable(),
  expires_at: z.date().nullable(),
  refresh_expires_at: z.date().nullable(),
  version: z.number(),
  released_at: z.date().nullable(),
});
export type GrantRow = z.output<typeof GrantRow>;

type NewGrantRow = Omit<GrantRow, 'version' | 'released_at'>;
/** A grant of a deleted account. */
const LeftRow = GrantRow.pick({ id: true, provider: true, subject: true, tokens: true, released_at: true });
export type LeftRow = z.output<typeof LeftRow>;
type RenewedRow = Pick<GrantRow, 'tokens' | 'expires_at' | 'refresh_expires_at' | 'scopes'>;

/** The id under which an account already has this grant: tokens are encrypted for it. */
export async function findId(
  sql: Sql | Tx,
  accountId: string,
  { provider, subject }: { provider: ConsentProviderName; subject: string },
): Promise<string | undefined> {
  const [row] = await sql`
    select id from sync_grants
    where account_id = ${accountId} and provider = ${provider} and subject = ${subject}`;
  return row && z.object({ id: z.string() }).parse(row).id;
}

/** A new consent takes the place of an earlier one. False where another was saved under another id concurrently. */
export async function save(sql: Sql | Tx, row: NewGrantRow): Promise<boolean> {
  const rows = await sql`
    insert into sync_grants (id, account_id, provider, subject, label, actor, scopes, tokens, expires_at,
      refresh_expires_at)
    values (${row.id}, ${row.account_id}, ${row.provider}, ${row.subject}, ${row.label}, ${row.actor},
      ${row.scopes}::text[], ${row.tokens}, ${row.expires_at}, ${row.refresh_expires_at})
    on conflict (account_id, provider, subject) do update set label = excluded.label, actor = excluded.actor,
      scopes = excluded.scopes, tokens = excluded.tokens, expires_at = excluded.expires_at,
      refresh_expires_at = excluded.refresh_expires_at, version = sync_grants.version + 1, leased_until = null,
      released_at = null, consented_at = now()
    where sync_grants.id = excluded.id
    returning id`;
  return rows.length === 1;
}

export async function find(sql: Sql | Tx, accountId: string, id: string): Promise<GrantRow | undefined> {
  const [row] = await sql`select * from sync_grants where account_id = ${accountId} and id = ${id}`;
  return row && GrantRow.parse(row);
}

/** True for one caller on all nodes, until the time is over or `renewed` was called. */
export async function lease(
  sql: Sql | Tx,
  { account_id, id, version }: GrantRow,
  seconds: number,
): Promise<boolean> {
  const rows = await sql`
    update sync_grants set leased_until = now() + make_interval(secs => ${seconds})
    where account_id = ${account_id} and id = ${id} and version = ${version} and tokens is not null
      and (leased_until is null or leased_until < now())
    returning id`;
  return rows.length === 1;
}

export async function giveBack(sql: Sql | Tx, { account_id, id, version }: GrantRow): Promise<void> {
  await sql`
    update sync_grants set leased_until = null
    where account_id = ${account_id} and id = ${id} and version = ${version}`;
}

/** Saves renewed tokens, unless a person has consented again since it was read. */
export async function renewed(
  sql: Sql | Tx,
  { account_id, id, version }: GrantRow,
  next: RenewedRow,
): Promise<void> {
  await sql`
    update sync_grants set tokens = ${next.tokens}, expires_at = ${next.expires_at},
      refresh_expires_at = ${next.refresh_expires_at}, scopes = ${next.scopes}::text[], version = version + 1,
      leased_until = null
    where account_id = ${account_id} and id = ${id} and version = ${version}`;
}

/** The provider has ended it. Not if a person has consented again since it was read. */
export async function end(sql: Sql | Tx, { account_id, id, version }: GrantRow): Promise<void> {
  await sql`
    update sync_grants set tokens = null, expires_at = null, refresh_expires_at = null, version = version + 1,
      leased_until = null
    where account_id = ${account_id} and id = ${id} and version = ${version}`;
}

/** A connection that waited for this consent works again. */
export async function markWorking(sql: Sql | Tx, accountId: string, id: string): Promise<void> {
  await sql`
    update sync_sheets set status = 'connected', updated_at = now()
    where account_id = ${accountId} and grant_id = ${id} and status = 'reconnect_required'`;
}

/** Marks what no connection uses, unless one is about to. True: it is to be revoked. */
export async function release(sql: Sql | Tx, accountId: string, id: string): Promise<boolean> {
  const rows = await sql`
    update sync_grants g set released_at = now()
    where g.account_id = ${accountId} and g.id = ${id} and g.released_at is null
      and not exists (select from sync_sheets s where s.account_id = g.account_id and s.grant_id = g.id)
      and not exists (select from sync_stores s where s.account_id = g.account_id and s.grant_id = g.id)
      and not exists (select from sync_consents c where c.account_id = g.account_id
        and c.provider = g.provider and c.taken_at > now() - interval '2 minutes')
    returning g.id`;
  return rows.length === 1;
}

/** Of all accounts: what nothing uses any more, for longer than connecting takes. */
export async function listUnused(sql: Sql | Tx, limit: number): Promise<GrantRow[]> {
  const rows = await sql`
    select g.* from sync_grants g
    where g.consented_at < now() - interval '10 minutes'
      and not exists (select from sync_sheets s where s.account_id = g.account_id and s.grant_id = g.id)
      and not exists (select from sync_stores s where s.account_id = g.account_id and s.grant_id = g.id)
    order by g.seq limit ${limit}`;
  return z.array(GrantRow).parse(rows);
}

/** Of all accounts: what would end within the time, though no one uses it now. */
export async function listEnding(sql: Sql | Tx, days: number, limit: number): Promise<GrantRow[]> {
  const rows = await sql`
    select g.* from sync_grants g
    where g.refresh_expires_at < now() + make_interval(days => ${days}) and g.tokens is not null
      and g.released_at is null and exists (select from active_accounts a where a.id = g.account_id)
    order by g.refresh_expires_at limit ${limit}`;
  return z.array(GrantRow).parse(rows);
}

/** Of all accounts: whether one uses access from the same Google account. Revoking ends that too. */
export async function isShared(sql: Sql | Tx, { provider, subject }: LeftRow): Promise<boolean> {
  const [row] = await sql`
    select from sync_grants where provider = ${provider} and subject = ${subject}
      and tokens is not null and released_at is null limit 1`;
  return row !== undefined;
}

/** False where it is used again. */
export async function remove(sql: Sql | Tx, { account_id, id, version }: GrantRow): Promise<boolean> {
  const rows = await sql`
    delete from sync_grants where account_id = ${account_id} and id = ${id} and version = ${version}
      and released_at is not null returning id`;
  return rows.length === 1;
}

/** Of all accounts: what is still to be revoked, and since when it is too late. */
export async function listReleased(sql: Sql | Tx, limit: number): Promise<GrantRow[]> {
  const rows = await sql`
    select * from sync_grants where released_at is not null order by released_at limit ${limit}`;
  return z.array(GrantRow).parse(rows);
}

/** Keeps what an account has, beyond its deletion in the same transaction. Returns the ids. */
export async function leave(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx`
    insert into sync_left_grants (id, provider, subject, tokens)
    select id, provider, subject, tokens from sync_grants
    where account_id = ${accountId} and tokens is not null
    returning id`;
  return z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => id);
}

/** Longest ago first; null: of all accounts that are gone. */
export async function listLeft(
  sql: Sql | Tx,
  ids: readonly string[] | null,
  limit: number,
): Promise<LeftRow[]> {
  const rows = await sql`
    select id, provider, subject, tokens, released_at from sync_left_grants
    where ${ids}::text[] is null or id = any(${ids}::text[])
    order by released_at limit ${limit}`;
  return z.array(LeftRow).parse(rows);
}

export async function removeLeft(sql: Sql | Tx, { id }: LeftRow): Promise<void> {
  await sql`delete from sync_left_grants where id = ${id}`;
}
