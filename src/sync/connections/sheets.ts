import { Fault } from '../../errors.ts';
import { newId } from '../../platform/ids.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import { parseSpreadsheetId } from '../ports/open-sheet.ts';
import { dropBases, purgeUses } from './bases.ts';
import { createConfigStore } from './config-store.ts';
import { type ConnectedSheet, connectedSheet } from './connected-sheet.ts';
import { DEMO_SPREADSHEET, demandDemo } from './demo.ts';
import { lookAtSheet } from './look-at-sheet.ts';
import { demandRoom, noRoom, type Room, roomFor } from './room.ts';
import { createSheetAccess, type SheetParts } from './sheet-access.ts';
import { createSheetSeals } from './sheet-seals.ts';
import { hasSheetSecrets, type SheetSecrets, sheetCredentials } from './sheet-secrets.ts';
import { createSheetStore, type NewSheetRow, type SheetRow } from './sheet-store.ts';

type Parts = SheetParts & {
  /** Whether the demo spreadsheet can be connected. */
  readonly demo: boolean;
};

type SheetRequest = {
  /** The id of the spreadsheet, or its address. */
  readonly spreadsheet: string;
  /** What it is called here; the title of the spreadsheet unless said. */
  readonly name?: string | undefined;
  /** Title of the tab. */
  readonly sheetName: string;
  readonly secrets: SheetSecrets;
};

type SheetChange = {
  readonly name?: string | undefined;
  readonly sheetName?: string | undefined;
  readonly secrets?: SheetSecrets;
};

/** The tabs of spreadsheets an account has connected. Their secrets come in, and never out again. */
export function createSheets(parts: Parts) {
  const { sql, openSheet, entitlements } = parts;
  const rows = createSheetStore(sql);
  const seals = createSheetSeals(parts.box);

  async function roomOf(accountId: string): Promise<Room> {
    return roomFor('sheets', (await entitlements.of(accountId)).sync);
  }

  async function find(accountId: string, id: string): Promise<SheetRow> {
    const row = await rows.find(accountId, id);
    if (!row) throw new Fault('not_found.sheet', { id });
    return row;
  }

  /** Changes what is given, once the spreadsheet was seen to open with it. */
  async function update(accountId: string, id: string, change: SheetChange, signal: AbortSignal) {
    for (;;) {
      const settled = await settle(await find(accountId, id), change, signal);
      if (settled) return connectedSheet({ ...settled, status: 'connected' }, await roomOf(accountId));
    }
  }

  /** Undefined when other credentials were entered meanwhile, or renewed: it is to be seen with those. */
  async function settle(row: SheetRow, change: SheetChange, signal: AbortSignal) {
    const { name, sheetName, secrets = {} } = change;
    const { id, account_id: accountId } = row;
    const isNew = hasSheetSecrets(secrets);
    const credentials = isNew
      ? sheetCredentials(secrets, row.spreadsheet_id === DEMO_SPREADSHEET)
      : await seals.open(row);
    const isAnother = sheetName !== undefined && sheetName !== row.sheet_name;
    const tab = isAnother ? { title: sheetName, id: null } : { title: row.sheet_name, id: row.tab_id };
    const look = { spreadsheetId: row.spreadsheet_id, credentials, accountId, tab };
    const seen = await lookAtSheet(openSheet, look, signal).catch(async (error: unknown) => {
      const isRefused = error instanceof Fault && error.code === 'sheet_unauthorized';
      if (isRefused && !isNew) await rows.refuse(accountId, id, row.credentials);
      throw error;
    });
    const sealed = await seals.seal(id, seen.credentials);
    const settled = { ...row, ...sealed, ...seen.found, name: name ?? row.name };
    const isSettled = await sql.begin(async (tx) => {
      const own = createSheetStore(tx);
      await own.lock(accountId);
      const { same } = await own.standing(accountId, settled);
      if (same !== null && same !== id) throw connectedAs(same, settled);
      if (!(await own.settle(accountId, id, row.credentials, settled))) return false;
      const configs = await createConfigStore(tx).using(accountId, id);
      if (settled.tab_id !== row.tab_id)
        await dropBases(
          tx,
          configs.map((config) => config.id),
        );
      return true;
    });
    return isSettled ? settled : undefined;
  }

  return {
    ...createSheetAccess(parts),

    /**
     * Connects a tab that was seen to be there.
     * @throws Fault validation_failed, conflict.sheet_connected, plan_limit.sheets, not_configured, and what sheets throw
     */
    async connect(accountId: string, request: SheetRequest, signal: AbortSignal): Promise<ConnectedSheet> {
      const { spreadsheet, sheetName, secrets } = request;
      const spreadsheetId = parseSpreadsheetId(spreadsheet);
      if (spreadsheetId === undefined) throw new Fault('validation_failed.spreadsheet');
      demandDemo(spreadsheetId, parts.demo);
      const credentials = sheetCredentials(secrets, spreadsheetId === DEMO_SPREADSHEET);
      const room = await roomOf(accountId);
      await demandPlace(
        rows,
        { account_id: accountId, spreadsheet_id: spreadsheetId, sheet_name: sheetName },
        room,
      );
      const look = { spreadsheetId, credentials, accountId, tab: { title: sheetName, id: null } };
      const seen = await lookAtSheet(openSheet, look, signal);
      const id = newId('she');
      const place = { id, account_id: accountId, spreadsheet_id: spreadsheetId };
      const sealed = await seals.seal(id, seen.credentials);
      const made = { ...place, ...sealed, ...seen.found, name: request.name ?? seen.title };
      const row = await sql.begin(async (tx) => {
        const own = createSheetStore(tx);
        await own.lock(accountId);
        await demandPlace(own, made, room);
        return own.insert(made, room.limit);
      });
      if (!row) throw noRoom(room, room.limit);
      return connectedSheet(row, room);
    },

    /** Newest first. */
    async list(accountId: string, request: PageRequest): Promise<Page<ConnectedSheet>> {
      const { before, limit } = byNumber(request);
      const room = await roomOf(accountId);
      const found = await rows.list(accountId, { before, limit: limit + 1 });
      const present = (row: SheetRow) => connectedSheet(row, room);
      return pageOf(found, limit, ({ seq }) => seq, present);
    },

    /** @throws Fault not_found.sheet */
    async get(accountId: string, id: string): Promise<ConnectedSheet> {
      return connectedSheet(await find(accountId, id), await roomOf(accountId));
    },

    /** @throws Fault not_found.sheet, conflict.sheet_connected, sync_running.sheet for another tab during a run, and what sheets throw */
    update,

    /**
     * Sees whether the spreadsheet still opens, and notes what it has.
     * @throws Fault not_found.sheet, and what sheets throw: one that refuses is to be connected again
     */
    test(accountId: string, id: string, signal: AbortSignal): Promise<ConnectedSheet> {
      return update(accountId, id, {}, signal);
    },

    /**
     * With `cascade` its configurations go with it, and the history of their runs.
     * @throws Fault not_found.sheet, conflict.sync_in_use, sync_running.sheet
     */
    async delete(accountId: string, id: string, options: { cascade: boolean }): Promise<void> {
      await find(accountId, id);
      await purgeUses(sql, accountId, id, options);
      await rows.delete(accountId, id);
    },
  };
}

type Place = Pick<NewSheetRow, 'account_id' | 'spreadsheet_id' | 'sheet_name'>;

/** @throws Fault conflict.sheet_connected, plan_limit.sheets */
async function demandPlace(rows: ReturnType<typeof createSheetStore>, place: Place, room: Room) {
  const { used, same } = await rows.standing(place.account_id, place);
  if (same !== null) throw connectedAs(same, place);
  demandRoom(room, used);
}

function connectedAs(id: string, { sheet_name }: Pick<Place, 'sheet_name'>): Fault {
  return new Fault('conflict.sheet_connected', { tab: sheet_name, id });
}
