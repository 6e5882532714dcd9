import { Fault } from '../../errors.ts';
import type { SheetDescription, Tab, TabName } from '../../sync/ports/sheet.ts';
import type { Api } from './api.ts';
import type { Patiently } from './patience.ts';
import { isStaging } from './staging-title.ts';

/** What a spreadsheet has in it; the tabs of our own, that a write works in, are apart. */
export type Look = { readonly description: SheetDescription; readonly staging: readonly Tab[] };

/** One request. @throws SheetsTrouble */
export async function look(api: Api, signal: AbortSignal): Promise<Look> {
  const { properties, sheets } = await api.describe(signal);
  const tabs = sheets.flatMap(({ properties: { sheetId: id, title, gridProperties: grid } }) =>
    grid ? [{ id, title, rows: grid.rowCount, columns: grid.columnCount }] : [],
  );
  return {
    description: { ...properties, tabs: tabs.filter(({ title }) => !isStaging(title)) },
    staging: tabs.filter(({ title }) => isStaging(title)),
  };
}

/** A tab by its id, however it is called now; by its title while the id is not known. @throws Fault sheet_not_found */
export function findTab({ description: { tabs } }: Look, { id, title }: TabName): Tab {
  const found = tabs.find((tab) => (id === null ? tab.title === title : tab.id === id));
  if (found) return found;
  throw new Fault('sheet_not_found.tab', { tab: title, tabs: tabs.map((tab) => tab.title).join(', ') });
}

/** By the id a tab stays the same however it is called. Asks for it where only the title is known. */
export async function idOf(
  { api, patiently }: { readonly api: Api; readonly patiently: Patiently },
  tab: TabName,
  signal: AbortSignal,
): Promise<number> {
  return tab.id ?? findTab(await patiently(() => look(api, signal), signal), tab).id;
}
