import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';

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
  created_at: z.date(),
  updated_at: z.date(),
  /** Which of the account's it is, in the order they were connected, from 1. */
  place: z.number(),
});
export type SheetRow = z.output<typeof SheetRow>;

export type SheetStatus = SheetRow['status'];

export type NewSheetRow = Omit<SheetRow, 'seq' | 'status' | 'created_at' | 'updated_at' | 'place'>;
/** What changes when a connection is checked or renewed. */
type SheetChanges = Omit<NewSheetRow, 'id' | 'account_id' | 'spreadsheet_id'>;

const Standing = z.object({ used: z.number(), same: z.string().nullable() });

/** The SQL of connected sheets. Inside a transaction give it `tx`. */
export function createSheetStore(sql: Sql | Tx) {
  return {
    /** Until the transaction ends nobody else connects a sheet to the account. */
    async lock(accountId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended('sync_sheets ' || ${accountId}::text, 0))`;
    },

    /** How many the account has, and which of them is this tab, or was when it was last looked at. */
    async standing(
      accountId: string,
      { spreadsheet_id, sheet_name }: Pick<SheetRow, 'spreadsheet_id' | 'sheet_name'>,
    ): Promise<z.output<typeof Standing>> {
      const [row] = await sql`
        select count(*)::integer as used,
          min(id) filter (where spreadsheet_id = ${spreadsheet_id} and sheet_name = ${sheet_name}) as same
        from sync_sheets where account_id = ${accountId}`;
      return Standing.parse(row);
    },

    /** Undefined when there is no room for it; a limit of -1 has always. Under `lock`. */
    async insert(row: NewSheetRow, limit: number): Promise<SheetRow | undefined> {
      const [inserted] = await sql`
        insert into sync_sheets (id, account_id, spreadsheet_id, name, sheet_name, tab_id, credentials, token_hint,
          locale, columns)
        select ${row.id}, ${row.account_id}, ${row.spreadsheet_id}, ${row.name}, ${row.sheet_name},
          ${row.tab_id}::integer, ${row.credentials}, ${row.token_hint}, ${row.locale}, ${row.columns}::text[]
        where ${limit}::integer = -1
          or (select count(*) from sync_sheets where account_id = ${row.account_id}) < ${limit}::integer
        returning *, (select count(*)::integer + 1 from sync_sheets o where o.account_id = ${row.account_id}) as place`;
      return inserted && SheetRow.parse(inserted);
    },

    async find(accountId: string, id: string): Promise<SheetRow | undefined> {
      const [row] = await sql`
        select s.*, (select count(*)::integer from sync_sheets o
          where o.account_id = s.account_id and o.seq <= s.seq) as place
        from sync_sheets s where s.account_id = ${accountId} and s.id = ${id}`;
      return row && SheetRow.parse(row);
    },

    /** Newest first. */
    async list(accountId: string, { before, limit }: { before: number; limit: number }): Promise<SheetRow[]> {
      const rows = await sql`
        select s.*, (select count(*)::integer from sync_sheets o
          where o.account_id = s.account_id and o.seq <= s.seq) as place
        from sync_sheets s where s.account_id = ${accountId} and s.seq < ${before}
        order by s.seq desc limit ${limit}`;
      return z.array(SheetRow).parse(rows);
    },

    /** Settles a connection that was just seen to work; false when it is gone. */
    async settle(accountId: string, id: string, was: string, row: SheetChanges): Promise<boolean> {
      const rows = await sql`
        update sync_sheets set name = ${row.name}, sheet_name = ${row.sheet_name}, tab_id = ${row.tab_id},
          credentials = ${row.credentials}, token_hint = ${row.token_hint}, locale = ${row.locale},
          columns = ${row.columns}::text[], status = 'connected', updated_at = now()
        where account_id = ${accountId} and id = ${id} and credentials = ${was} returning id`;
      return rows.length === 1;
    },

    /** Keeps a renewed token, unless others were entered since `sealed` was read. */
    async renew(
      accountId: string,
      id: string,
      { was, credentials }: { was: string; credentials: string },
    ): Promise<void> {
      await sql`
        update sync_sheets set credentials = ${credentials}
        where account_id = ${accountId} and id = ${id} and credentials = ${was}`;
    },

    /** It no longer takes these credentials: asked of nobody until others are entered, unless they were since. */
    async refuse(accountId: string, id: string, was: string): Promise<void> {
      await sql`
        update sync_sheets set status = 'reconnect_required', updated_at = now()
        where account_id = ${accountId} and id = ${id} and credentials = ${was} and status <> 'reconnect_required'`;
    },

    /** Unless it was seen to answer after `asOf`. */
    async setStatus(accountId: string, id: string, status: SheetStatus, asOf: Date | null): Promise<void> {
      await sql`
        update sync_sheets set status = ${status}, updated_at = now()
        where account_id = ${accountId} and id = ${id} and status <> ${status}
          and (${asOf}::timestamptz is null or updated_at <= ${asOf}::timestamptz)`;
    },

    async delete(accountId: string, id: string): Promise<boolean> {
      const rows = await sql`
        delete from sync_sheets where account_id = ${accountId} and id = ${id} returning id`;
      return rows.length === 1;
    },
  };
}
