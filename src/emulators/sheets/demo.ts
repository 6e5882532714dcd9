import { createSheetsEmulator, type SheetsEmulator } from './sheets-emulator.ts';

/** The spreadsheet that is there without any account. */
export const DEMO_SPREADSHEET = 'demo';

/** Google Sheets with the one spreadsheet `demo`: a tab Sheet1 with the header SKU, Stock. Any token opens it. */
export function createDemoSheets(): SheetsEmulator {
  // One person tries it out here: the service's quota would only make them wait.
  const emulator = createSheetsEmulator({
    tokens: { open: true },
    quota: { read: Infinity, write: Infinity },
  });
  emulator.book(DEMO_SPREADSHEET, { title: 'Demo', tabs: [{ title: 'Sheet1', rows: [['SKU', 'Stock']] }] });
  return emulator;
}
