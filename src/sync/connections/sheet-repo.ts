import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { Consented } from './consented.ts';

const SheetRow = z.object({
  seq: z.number(),
  id: z.string(),
  account_id: z.string(),
  spreadsheet_id: z.string(),
  name: z.string(),
  sheet_name: z.string(),
  /** Null until the tab was found once. */
  tab_id: z.number().nullable(),
  credentials: z.string(),
  token_hint: z.string(),
  locale: z.string(),
  columns: z.array(z.string()),
  status: z.enum(['connected', 'reconnect_required', 'disconnected']),
  grant_id: z.string().nullable(),
  renewable: z.boolean().nullable(),
  expires_at: z.date().nullable(),
  /** Absent for pasted credentials. */
  consent: Consented.nullish().transform((consent) => consent ?? null),
  created_at: z.date(),
  updated_at: z.date(),
  /** Which of the account's sheets it is, in the order they were connected, from 1. */
  place: z.number(),
});
export type SheetRow = z.output<typeof SheetRow>;

type NewSheetRow = Omit<SheetRow, 'seq' | 'status' | 'created_at' | 'updated_at' | 'place' | 'consent'>;

/** What no two sheets of an account share. */
export type SheetIdentity = Pick<SheetRow, 'account_id' | 'spreadsheet_id' | 'sheet_name' | 'tab_id'>;

const Count = z.object({ used: z.number(), same: z.string().nullable() });

/** Until the transaction ends, no other transaction connects a sheet to the account. */
export async function lock(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sync_sheets ' || ${accountId}::text, 0))`;
}

/** How many the account has, and which of them is this tab, by its id or its title when it was last verified. */
export async function countWithSame(
  sql: Sql | Tx,
  { account_id, spreadsheet_id, sheet_name, tab_id }: SheetIdentity,
): Promise<z.output<typeof Count>> {
  const [row] = await sql`
    select count(*)::integer as used,
      min(id) filter (where spreadsheet_id = ${spreadsheet_id}
        and (sheet_name = ${sheet_name} or tab_id = ${tab_id}::integer)) as same
    from sync_sheets where account_id = ${account_id}`;
  return Count.parse(row);
}

/** Undefined where the limit is reached; -1 is no limit. Under `lock`. */
export async function insert(sql: Sql | Tx, row: NewSheetRow, limit: number): Promise<SheetRow | undefined> {
  const [inserted] = await sql`
    insert into sync_sheets (id, account_id, spreadsheet_id, name, sheet_name, tab_id, credentials, token_hint,
      locale, columns, grant_id, renewable, expires_at)
    select ${row.id}, ${row.account_id}, ${row.spreadsheet_id}, ${row.name}, ${row.sheet_name},
      ${row.tab_id}::integer, ${row.credentials}, ${row.token_hint}, ${row.locale}, ${row.columns}::text[],
      ${row.grant_id}::text, ${row.renewable}::boolean, ${row.expires_at}::timestamptz
    where ${limit}::integer = -1
      or (select count(*) from sync_sheets where account_id = ${row.account_id}) < ${limit}::integer
    returning *, (select count(*)::integer + 1 from sync_sheets o where o.account_id = ${row.account_id}) as place,
      (select jsonb_build_object('account', g.label, 'by', g.actor, 'at', g.consented_at, 'scopes', g.scopes)
        from sync_grants g where g.account_id = ${row.account_id} and g.id = ${row.grant_id}::text) as consent`;
  return inserted && SheetRow.parse(inserted);
}

export async function find(sql: Sql | Tx, accountId: string, id: string): Promise<SheetRow | undefined> {
  const [row] = await sql`
    select s.*, (select count(*)::integer from sync_sheets o
      where o.account_id = s.account_id and o.seq <= s.seq) as place,
      (select jsonb_build_object('account', g.label, 'by', g.actor, 'at', g.consented_at, 'scopes', g.scopes)
        from sync_grants g where g.account_id = s.account_id and g.id = s.grant_id) as consent
    from sync_sheets s where s.account_id = ${accountId} and s.id = ${id}`;
  return row && SheetRow.parse(row);
}

/** Newest first. */
export async function list(
  sql: Sql | Tx,
  accountId: string,
  { before, limit }: { before: number; limit: number },
): Promise<SheetRow[]> {
  const rows = await sql`
    select s.*, (select count(*)::integer from sync_sheets o
      where o.account_id = s.account_id and o.seq <= s.seq) as place,
      (select jsonb_build_object('account', g.label, 'by', g.actor, 'at', g.consented_at, 'scopes', g.scopes)
        from sync_grants g where g.account_id = s.account_id and g.id = s.grant_id) as consent
    from sync_sheets s where s.account_id = ${accountId} and s.seq < ${before}
    order by s.seq desc limit ${limit}`;
  return z.array(SheetRow).parse(rows);
}

/** Saves a connection that was just verified; false when it was deleted, or its credentials changed concurrently. */
export async function update(sql: Sql | Tx, row: NewSheetRow, previousCredentials: string): Promise<boolean> {
  const rows = await sql`
    update sync_sheets set name = ${row.name}, sheet_name = ${row.sheet_name}, tab_id = ${row.tab_id},
      credentials = ${row.credentials}, token_hint = ${row.token_hint}, locale = ${row.locale},
      columns = ${row.columns}::text[], grant_id = ${row.grant_id}, renewable = ${row.renewable},
      expires_at = ${row.expires_at}, status = 'connected', updated_at = now()
    where account_id = ${row.account_id} and id = ${row.id} and credentials = ${previousCredentials} returning id`;
  return rows.length === 1;
}

/** Saves a refreshed token, unless other credentials were saved since the previous ones were read. */
export async function replaceCredentials(
  sql: Sql | Tx,
  accountId: string,
  id: string,
  { previous, next }: { previous: string; next: string },
): Promise<void> {
  await sql`
    update sync_sheets set credentials = ${next}
    where account_id = ${accountId} and id = ${id} and credentials = ${previous}`;
}

/** The spreadsheet rejects these credentials. Not if others were saved since. */
export async function requireReconnect(
  sql: Sql | Tx,
  accountId: string,
  id: string,
  credentials: string,
): Promise<void> {
  await sql`
    update sync_sheets set status = 'reconnect_required', updated_at = now()
    where account_id = ${accountId} and id = ${id} and credentials = ${credentials} and status <> 'reconnect_required'`;
}

/** Not if it was verified after `asOf`. */
export async function setStatus(
  sql: Sql | Tx,
  accountId: string,
  id: string,
  status: SheetRow['status'],
  asOf: Date | null,
): Promise<void> {
  await sql`
    update sync_sheets set status = ${status}, updated_at = now()
    where account_id = ${accountId} and id = ${id} and status <> ${status}
      and (${asOf}::timestamptz is null or updated_at <= ${asOf}::timestamptz)`;
}

export async function remove(sql: Sql | Tx, accountId: string, id: string): Promise<boolean> {
  const rows = await sql`
    delete from sync_sheets where account_id = ${accountId} and id = ${id} returning id`;
  return rows.length === 1;
}
