import type { NewTab } from '../../../src/emulators/sheets/book-handle.ts';
import { createSheetsEmulator, type SheetsEmulatorOptions } from '../../../src/emulators/sheets/sheets.ts';

type Answer = {
  readonly values?: readonly unknown[];
  readonly replies?: readonly unknown[];
  readonly matchedDeveloperMetadata?: readonly unknown[];
  readonly error?: { readonly message: string };
};

/** The emulator with the spreadsheet `book`, and a caller of its API. */
export function openGoogleSheets(
  start: { tabs?: readonly NewTab[]; locale?: string } = {},
  options: SheetsEmulatorOptions = {},
) {
  const emulator = createSheetsEmulator(options);
  const book = emulator.book('book', start);
  return {
    emulator,
    book,
    async ask(method: string, path: string, body?: unknown, token = 'ya29.test') {
      const response = await emulator.fetch(`https://sheets.googleapis.com/v4/spreadsheets/book${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      // What each test looks at; the rest it compares whole.
      return { status: response.status, body: (await response.json()) as Answer };
    },
  };
}

export const refused = (code: number, status: string, message: string) => ({
  status: code,
  body: { error: { code, status, message } },
});
