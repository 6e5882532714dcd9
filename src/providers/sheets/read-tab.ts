import type { SheetReading, TabName } from '../../sync/ports/sheet.ts';
import type { Api } from './api.ts';
import type { Patiently } from './patience.ts';
import { isRefused } from './sheets-trouble.ts';
import { findTab, idOf, look } from './tabs.ts';

/**
 * A whole tab in one request, where its id is known. What is called as it was may by now be another one.
 * @throws Fault sheet_not_found where it is gone
 */
export async function readTab(
  parts: { readonly api: Api; readonly patiently: Patiently },
  tab: TabName,
  signal: AbortSignal,
): Promise<SheetReading> {
  const { api, patiently } = parts;
  const id = await idOf(parts, tab, signal);
  try {
    const { title, rows } = await patiently(
      () => api.values({ sheetId: id }, 'UNFORMATTED_VALUE', signal),
      signal,
    );
    return { tab: { id, title }, rows };
  } catch (error) {
    if (isRefused(error)) findTab(await patiently(() => look(api, signal), signal), { ...tab, id });
    throw error;
  }
}
