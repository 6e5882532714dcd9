import type { TabName } from '../ports/sheet-client.ts';
import { hasRoom, type Room } from './room.ts';
import type { SheetRow, SheetStatus } from './sheet-store.ts';

/** A connected tab of a spreadsheet, without its secrets; the moment is ISO 8601. */
export type ConnectedSheet = {
  readonly id: string;
  readonly spreadsheet_id: string;
  readonly name: string;
  /** Title of the tab. */
  readonly sheet_name: string;
  readonly tab: TabName;
  /** How people write numbers there, such as `es_ES`. */
  readonly locale: string;
  /** The headers it had when it was last looked at. */
  readonly columns: readonly string[];
  readonly status: SheetStatus;
  /** Over the plan since a downgrade: kept, but not synced. */
  readonly paused: boolean;
  readonly token_hint: string;
  readonly created_at: string;
};

export function connectedSheet(row: SheetRow, room: Room): ConnectedSheet {
  const { id, spreadsheet_id, name, sheet_name, tab_id, locale, columns, status, token_hint } = row;
  return {
    ...{ id, spreadsheet_id, name, sheet_name, locale, columns, status, token_hint },
    tab: { title: sheet_name, id: tab_id },
    paused: !hasRoom(room, row.place),
    created_at: row.created_at.toISOString(),
  };
}
