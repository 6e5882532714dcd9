type Spreadsheet = { readonly spreadsheet_id: string };

/** The address of a spreadsheet at Google, and of one row in it. */
export function sheetAddress({ spreadsheet_id: id }: Spreadsheet, row?: number): string {
  const address = `https://docs.google.com/spreadsheets/d/${encodeURIComponent(id)}/edit`;
  return row === undefined ? address : `${address}#range=${row}:${row}`;
}
