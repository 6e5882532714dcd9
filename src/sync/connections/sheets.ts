import { Fault } from '../../errors.ts';
import { newId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { resetBaselines } from '../configs/cleanup.ts';
import * as configRepository from '../configs/config-repo.ts';
import { DEMO_SPREADSHEET, requireDemo } from '../demo/demo.ts';
import type { Away } from '../ports/away.ts';
import {
  type OpenSheet,
  parseSpreadsheetId,
  type RenewedTokens,
  type SheetClient,
  type SheetCredentials,
  type TabName,
} from '../ports/sheet-client.ts';
import { type ConnectionDeps, type ConnectionStatus, createConnections } from './connections.ts';
import { type Access, presentAccess } from './consented.ts';
import {
  createCredentialEncryption,
  EncryptedSheetCredentials,
  hasSheetSecrets,
  type SheetSecrets,
  sheetCredentialLife,
  sheetCredentials,
  sheetTokenHint,
} from './credentials.ts';
import { type SheetColumns, sheetColumns } from './sheet-columns.ts';
import type { SheetRow } from './sheet-repo.ts';
import * as sheetRepo from './sheet-repo.ts';
import { verifySheet, withDeadline } from './verify-connection.ts';

/** A connected tab of a spreadsheet, without its secrets; the moment is ISO 8601. */
type ConnectedSheet = Access & {
  readonly id: string;
  readonly spreadsheet_id: string;
  readonly name: string;
  /** Title of the tab. */
  readonly sheet_name: string;
  readonly tab: TabName;
  /** How people write numbers there, such as `es_ES`. */
  readonly locale: string;
  /** The headers it had when it was last verified. */
  readonly columns: readonly string[];
  readonly status: ConnectionStatus;
  /** Beyond the plan since a downgrade: kept, but not synced. */
  readonly paused: boolean;
  readonly token_hint: string;
  readonly created_at: string;
};

type SheetRequest = {
  /** The id of the spreadsheet, or its URL. */
  readonly spreadsheet: string;
  /** Its name here; by default the title of the spreadsheet. */
  readonly name?: string | undefined;
  /** Title of the tab; by default the first one. */
  readonly sheetName?: string | undefined;
  readonly secrets: SheetSecrets;
};

/** A spreadsheet that a person gave access to by consent. */
type GrantedSheet = Omit<SheetRequest, 'secrets'> & {
  readonly grant: string;
  /** The connected sheet that gets the access. */
  readonly sheetId?: string | undefined;
};

type SheetChange = {
  readonly name?: string | undefined;
  readonly sheetName?: string | undefined;
  readonly secrets?: SheetSecrets;
};

type SheetsDeps = ConnectionDeps & {
  readonly box: SecretBox;
  readonly openSheet: OpenSheet;
  /** Whether the demo spreadsheet can be connected. */
  readonly demo: boolean;
  /** The server has a client that renews pasted tokens. */
  readonly hasClient?: boolean;
  /** Called when a sheet no longer uses what a person granted. */
  readonly releaseGrant?: (accountId: string, grantId: string) => Promise<void>;
  readonly now?: () => number;
};

export type Sheets = ReturnType<typeof createSheets>;

const { countWithSame, find, insert, list, lock, remove, requireReconnect, setStatus } = sheetRepo;

/** The tabs of spreadsheets an account has connected. Credentials come in, are verified and encrypted, and are never returned. */
export function createSheets(deps: SheetsDeps) {
  const { sql, openSheet, hasClient = false, releaseGrant = async () => {}, now = Date.now } = deps;
  const encryption = createCredentialEncryption(deps.box, 'sync_sheets', EncryptedSheetCredentials);
  const connections = createConnections(
    {
      quota: 'sheets',
      notFound: 'not_found.sheet',
      repository: { countWithSame, find, insert, list, lock, remove, requireReconnect, setStatus },
      present: presentSheet,
      releaseGrant,
      duplicate: connectedAs,
    },
    deps,
  );

  return {
    list: connections.list,
    get: connections.get,
    delete: connections.delete,
    markReconnect: connections.markReconnect,
    update,

    connect,

    /**
     * Connects a tab with what a person has granted, or gives that access to the sheet that is connected already.
     * @throws Fault as `connect`
     */
    async connectGranted(
      accountId: string,
      { grant, sheetId, ...request }: GrantedSheet,
      signal: AbortSignal,
    ): Promise<ConnectedSheet> {
      const secrets = { grant };
      if (sheetId !== undefined) return update(accountId, sheetId, { secrets }, signal);
      try {
        return await connect(accountId, { ...request, secrets }, signal);
      } catch (error) {
        const same = error instanceof Fault && error.key === 'conflict.sheet_connected' && error.params['id'];
        if (!same) throw error;
        return update(accountId, String(same), { secrets }, signal);
      }
    },

    /**
     * Verifies that the spreadsheet still accepts its credentials, and saves its headers and locale.
     * @throws Fault not_found.sheet, and what sheets throw
     */
    test: (accountId: string, id: string, signal: AbortSignal): Promise<ConnectedSheet> =>
      update(accountId, id, {}, signal),

    /** The columns as they are now, with their first values. @throws Fault not_found.sheet, and what sheets throw */
    async columns(
      accountId: string,
      id: string,
      samples: number,
      signal: AbortSignal,
    ): Promise<SheetColumns> {
      const row = await connections.find(accountId, id);
      const client = await openSheet({
        spreadsheetId: row.spreadsheet_id,
        credentials: await encryption.decrypt(row),
        accountId,
        onRefresh: saveRefreshed(row),
      });
      const unreached = () => new Fault('sheet_unavailable.unreached');
      const reading = withDeadline(signal, unreached, (deadline) =>
        client.read({ title: row.sheet_name, id: row.tab_id }, deadline),
      );
      const { rows } = await reading.catch((error) => connections.rejected(row, error));
      return sheetColumns(rows, samples);
    },

    /** For a run. @throws Fault not_found.sheet, plan_limit.sheets for one that is paused */
    async openFor(
      accountId: string,
      id: string,
      away?: Away,
    ): Promise<{ client: SheetClient; sheet: ConnectedSheet }> {
      const row = await connections.findActive(accountId, id);
      const client = await openSheet({
        spreadsheetId: row.spreadsheet_id,
        credentials: await encryption.decrypt(row),
        accountId,
        onRefresh: saveRefreshed(row),
        away,
      });
      return { client, sheet: presentSheet(row, false) };
    },
  };

  /**
   * Connects a tab after its credentials were verified.
   * @throws Fault validation_failed, conflict.sheet_connected, plan_limit.sheets, not_configured, and what sheets throw
   */
  async function connect(
    accountId: string,
    request: SheetRequest,
    signal: AbortSignal,
  ): Promise<ConnectedSheet> {
    const { spreadsheet, sheetName, secrets } = request;
    const spreadsheetId = parseSpreadsheetId(spreadsheet);
    if (spreadsheetId === undefined) throw new Fault('validation_failed.spreadsheet');
    requireDemo(spreadsheetId, deps.demo);
    const credentials = sheetCredentials(secrets, spreadsheetId === DEMO_SPREADSHEET);
    const quota = await connections.quotaOf(accountId);
    const place = { account_id: accountId, spreadsheet_id: spreadsheetId };
    await connections.requireNew({ ...place, sheet_name: sheetName ?? '', tab_id: null }, quota);
    const tab = { title: sheetName, id: null };
    const verified = await verifySheet(openSheet, { spreadsheetId, credentials, accountId, tab }, signal);
    const id = newId('she');
    const encrypted = await encrypt({ id, spreadsheet_id: spreadsheetId }, verified.credentials, null);
    const name = request.name ?? verified.title;
    return connections.add(accountId, { id, ...place, ...encrypted, ...verified.found, name }, quota);
  }

  /**
   * Changes what is given, after the spreadsheet was opened with it. Repeats if credentials were changed concurrently.
   * @throws Fault not_found.sheet, conflict.sheet_connected, sync_running.sheet for another tab during a run, and what
   * sheets throw
   */
  async function update(
    accountId: string,
    id: string,
    change: SheetChange,
    signal: AbortSignal,
  ): Promise<ConnectedSheet> {
    for (;;) {
      const updated = await updateOnce(await connections.find(accountId, id), change, signal);
      if (updated) return connections.get(accountId, id);
    }
  }

  /** Undefined when the credentials were changed or refreshed concurrently: the new ones have to be verified. */
  async function updateOnce(row: SheetRow, change: SheetChange, signal: AbortSignal) {
    const { name, sheetName, secrets = {} } = change;
    const { id, account_id: accountId, spreadsheet_id: spreadsheetId } = row;
    const isNew = hasSheetSecrets(secrets);
    const credentials = isNew
      ? sheetCredentials(secrets, spreadsheetId === DEMO_SPREADSHEET)
      : await encryption.decrypt(row);
    const isAnother = sheetName !== undefined && sheetName !== row.sheet_name;
    const tab = isAnother ? { title: sheetName, id: null } : { title: row.sheet_name, id: row.tab_id };
    const verifying = verifySheet(openSheet, { spreadsheetId, credentials, accountId, tab }, signal);
    const verified = await (isNew ? verifying : verifying.catch((error) => connections.rejected(row, error)));
    const encrypted = await encrypt(row, verified.credentials, isNew ? null : row.expires_at);
    const updated = { ...row, ...encrypted, ...verified.found, name: name ?? row.name };
    const isUpdated = await sql.begin(async (tx) => {
      await sheetRepo.lock(tx, accountId);
      const { same } = await sheetRepo.countWithSame(tx, updated);
      if (same !== null && same !== id) throw connectedAs(same, updated);
      if (!(await sheetRepo.update(tx, updated, row.credentials))) return false;
      if (updated.tab_id !== row.tab_id) {
        const configs = await configRepository.listUsing(tx, accountId, id);
        await resetBaselines(
          tx,
          configs.map((config) => config.id),
        );
      }
      return true;
    });
    if (!isUpdated) return undefined;
    if (row.grant_id !== null && row.grant_id !== updated.grant_id)
      await releaseGrant(accountId, row.grant_id);
    return updated;
  }

  async function encrypt(
    { id, spreadsheet_id }: Pick<SheetRow, 'id' | 'spreadsheet_id'>,
    credentials: SheetCredentials,
    known: Date | null,
  ) {
    // The demo asks for no renewal.
    const life = { known, renews: hasClient, isEndless: spreadsheet_id === DEMO_SPREADSHEET, now: now() };
    return {
      ...sheetCredentialLife(credentials, life),
      credentials: await encryption.encrypt(id, credentials),
      token_hint: sheetTokenHint(credentials),
    };
  }

  /** Saves every refreshed token in place of the one that was read, or refreshed before. */
  function saveRefreshed({ id, account_id, credentials }: SheetRow) {
    let previous = credentials;
    return async ({ accessToken }: RenewedTokens): Promise<void> => {
      const opened = await encryption.decrypt({ id, credentials: previous });
      if (!('accessToken' in opened)) return;
      const next = await encryption.encrypt(id, { ...opened, accessToken });
      await sheetRepo.replaceCredentials(sql, account_id, id, { previous, next });
      previous = next;
    };
  }
}

function presentSheet(row: SheetRow, paused: boolean): ConnectedSheet {
  const { id, spreadsheet_id, name, sheet_name, tab_id, locale, columns, status, token_hint } = row;
  return {
    ...{ id, spreadsheet_id, name, sheet_name, locale, columns, status, token_hint, paused },
    tab: { title: sheet_name, id: tab_id },
    ...presentAccess(row),
    created_at: row.created_at.toISOString(),
  };
}

function connectedAs(id: string, { sheet_name }: sheetRepo.SheetIdentity): Fault {
  return new Fault('conflict.sheet_connected', { tab: sheet_name, id });
}
