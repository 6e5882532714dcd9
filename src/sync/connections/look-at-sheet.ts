import { Fault } from '../../errors.ts';
import type { OpenSheet, SheetCredentials } from '../ports/open-sheet.ts';
import type { Tab } from '../ports/sheet-client.ts';
import { answerWithin } from './answer-within.ts';
import { headerColumns } from './header-columns.ts';
import type { SheetRow } from './sheet-store.ts';

type Look = {
  readonly spreadsheetId: string;
  readonly credentials: SheetCredentials;
  readonly accountId: string;
  /** The tab by its title, or by its id where that is known. */
  readonly tab: { readonly title: string; readonly id: number | null };
};

/** A tab as it is now, with the credentials that opened it: their token may have been renewed meanwhile. */
type Seen = {
  /** Of the spreadsheet. */
  readonly title: string;
  readonly credentials: SheetCredentials;
  readonly found: Pick<SheetRow, 'sheet_name' | 'tab_id' | 'locale' | 'columns'>;
};

/**
 * Looks at a tab while somebody waits.
 * @throws Fault sheet_not_found.tab, sheet_unavailable.no_answer when it takes too long, and what sheets throw
 */
export async function lookAtSheet(openSheet: OpenSheet, look: Look, signal: AbortSignal): Promise<Seen> {
  const { tab: wanted, ...sheet } = look;
  let { credentials } = look;
  const onRefresh = async ({ accessToken }: { accessToken: string }) => {
    if ('accessToken' in credentials) credentials = { ...credentials, accessToken };
  };
  const late = () => new Fault('sheet_unavailable.no_answer');
  return answerWithin(signal, late, async (within) => {
    const client = await openSheet({ ...sheet, onRefresh });
    const { title, locale, tabs } = await client.describe(within);
    const tab = demandTab(tabs, wanted);
    const { rows } = await client.read({ title: tab.title, id: tab.id }, within);
    const found = { sheet_name: tab.title, tab_id: tab.id, locale, columns: headerColumns(rows) };
    return { title, credentials, found };
  });
}

function demandTab(tabs: readonly Tab[], { title, id }: Look['tab']): Tab {
  const fold = (text: string) => text.trim().toLowerCase();
  const found =
    tabs.find((tab) => id !== null && tab.id === id) ??
    tabs.find((tab) => tab.title === title) ??
    tabs.find((tab) => fold(tab.title) === fold(title));
  if (found) return found;
  throw new Fault('sheet_not_found.tab', { tab: title, tabs: tabs.map((tab) => tab.title).join(', ') });
}
