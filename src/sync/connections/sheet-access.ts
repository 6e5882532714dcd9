import type { Entitlements } from '../../billing/entitlements.ts';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { OpenSheet, RenewedTokens } from '../ports/open-sheet.ts';
import type { SheetClient } from '../ports/sheet-client.ts';
import { type ConnectedSheet, connectedSheet } from './connected-sheet.ts';
import { hasRoom, noRoom, roomFor } from './room.ts';
import { createSheetSeals } from './sheet-seals.ts';
import { createSheetStore, type SheetRow } from './sheet-store.ts';

export type SheetParts = {
  readonly sql: Sql;
  readonly box: SecretBox;
  readonly openSheet: OpenSheet;
  readonly entitlements: Pick<Entitlements, 'of'>;
};

/** A sheet with the client that speaks to it. */
type OpenedSheet = { readonly client: SheetClient; readonly sheet: ConnectedSheet };

/** Connected sheets as runs need them. */
export function createSheetAccess({ sql, box, openSheet, entitlements }: SheetParts) {
  const rows = createSheetStore(sql);
  const seals = createSheetSeals(box);

  /** Keeps every token that is renewed in place of the one that was read, or renewed before. */
  function keeper(row: SheetRow): (tokens: RenewedTokens) => Promise<void> {
    let was = row.credentials;
    return async ({ accessToken }) => {
      const credentials = await seals.open({ id: row.id, credentials: was });
      if (!('accessToken' in credentials)) return;
      const sealed = await seals.seal(row.id, { ...credentials, accessToken });
      await rows.renew(row.account_id, row.id, { was, ...sealed });
      was = sealed.credentials;
    };
  }

  return {
    /** For a run. @throws Fault not_found.sheet, plan_limit.sheets for one that rests since a downgrade */
    async openFor(accountId: string, id: string): Promise<OpenedSheet> {
      const row = await rows.find(accountId, id);
      if (!row) throw new Fault('not_found.sheet', { id });
      const room = roomFor('sheets', (await entitlements.of(accountId)).sync);
      if (!hasRoom(room, row.place)) throw noRoom(room, row.place);
      const client = await openSheet({
        spreadsheetId: row.spreadsheet_id,
        credentials: await seals.open(row),
        accountId,
        onRefresh: keeper(row),
      });
      return { client, sheet: connectedSheet(row, room) };
    },

    /** The spreadsheet no longer takes its tokens: nothing runs by itself until it is connected again. */
    markReconnect: (accountId: string, id: string, asOf: Date | null = null) =>
      rows.setStatus(accountId, id, 'reconnect_required', asOf),
  };
}
