import type { SyncSettings } from '../config.ts';
import type { Cell } from '../ports/sheet-client.ts';
import { foldHeader, headersOf } from './find-layout.ts';
import type { Layout } from './layout.ts';

/** Where the columns of a layout are; null: none has that header any more. */
export type Columns = {
  readonly columns: readonly (number | null)[];
  readonly key_column: number | null;
  readonly status_column: number | null;
};

/**
 * Where the columns are by what the header row says: those that people have moved since are found again. A header
 * that was entered as a formula is taken for what it was, since it does not say what it shows.
 */
export function columnsNow(layout: Layout, settings: SyncSettings, header: readonly Cell[]): Columns {
  const names = Array.from(header, (cell = '') => foldHeader(String(cell)));
  const { key, mapped } = headersOf(settings);
  const { status_column: status = '' } = settings.options;
  return {
    columns: mapped.map((name, nth) => find(name, layout.columns[nth] ?? -1)),
    key_column: find(key, layout.key_column),
    status_column: layout.status_column === null ? null : find(status, layout.status_column),
  };

  function find(name: string, was: number): number | null {
    const folded = foldHeader(name);
    const now = names[was] === folded ? was : names.indexOf(folded);
    if (now >= 0) return now;
    return names[was]?.startsWith('=') ? was : null;
  }
}
