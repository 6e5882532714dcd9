import type { Tab, TabName } from '../../sync/ports/sheet.ts';
import type { Api, Restructuring } from './api.ts';
import { findTab, type Look, look } from './tabs.ts';

export type Room = { readonly tab: Tab; readonly found: Look; readonly added: readonly number[] };

/**
 * Makes a tab as large as it has to be, in one try: looks, then appends what is lacking and does what else `more` says of
 * what was seen. Two requests, or one where nothing is to be done. A repeat looks again and so never appends twice.
 */
export async function makeRoom(
  api: Api,
  name: TabName,
  needed: { readonly rows: number; readonly columns: number },
  signal: AbortSignal,
  more: (tab: Tab, found: Look) => Restructuring[] = () => [],
): Promise<Room> {
  const found = await look(api, signal);
  const tab = findTab(found, name);
  const requests = [
    ...lacking(tab.id, 'ROWS', needed.rows - tab.rows),
    ...lacking(tab.id, 'COLUMNS', needed.columns - tab.columns),
    ...more(tab, found),
  ];
  const added = requests.length > 0 ? await api.restructure(requests, signal) : [];
  return { tab, found, added };
}

function lacking(sheetId: number, dimension: 'ROWS' | 'COLUMNS', length: number): Restructuring[] {
  return length > 0 ? [{ appendDimension: { sheetId, dimension, length } }] : [];
}
