import { openDatabase } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrations.ts';
import { DEFAULT_MAPPINGS } from '../../src/sync/config.ts';
import { ACCOUNT, CONFIG, DOMAIN, SHEET, SPREADSHEET, STORE, TAB } from './connection.ts';

/** The tables, and an account with one configuration of one store and one sheet. */
export async function prepareDatabase(url: string): Promise<void> {
  const { sql, close } = await openDatabase({ url, dataDir: '' });
  try {
    await migrate(sql);
    await sql`insert into accounts (id, name) values (${ACCOUNT}, 'Bench')`;
    await sql`
      insert into sync_stores (id, account_id, domain, credentials, token_hint, name, currency)
      values (${STORE}, ${ACCOUNT}, ${DOMAIN}, '', '', 'Bench', 'EUR')`;
    await sql`
      insert into sync_sheets (id, account_id, spreadsheet_id, name, sheet_name, credentials, token_hint)
      values (${SHEET}, ${ACCOUNT}, ${SPREADSHEET}, 'Bench', ${TAB}, '', '')`;
    await sql`
      insert into sync_configs (id, account_id, store_id, sheet_id, direction, mappings, options)
      values (${CONFIG}, ${ACCOUNT}, ${STORE}, ${SHEET}, 'two_way', ${sql.json(DEFAULT_MAPPINGS)}, '{}')`;
  } finally {
    await close();
  }
}
