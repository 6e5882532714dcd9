/** One line of a mapping, as it stands in the form. */
export type Line = { readonly id: number; readonly column: string; readonly field: string };

export type Direction = 'store_to_sheet' | 'sheet_to_store' | 'two_way';

/** Why a line cannot be saved, as a text and its values. */
export type Refusal = {
  readonly key: `mapping.refused.${'column' | 'field' | 'noColumn' | 'noField'}`;
  readonly values?: Readonly<Record<string, string | number>>;
};

/** The lines that cannot be saved, by their id: the second of two that are the same, and what is incomplete. */
export function refusedLines(lines: readonly Line[]): ReadonlyMap<number, Refusal> {
  const refused = new Map<number, Refusal>();
  const fold = (text: string) => text.trim().toLowerCase();
  for (const [at, { id, column, field }] of lines.entries()) {
    const before = lines.slice(0, at);
    const sameField = before.findIndex((line) => line.field === field);
    const sameColumn = before.findIndex((line) => fold(line.column) === fold(column));
    if (fold(column) === '') refused.set(id, { key: 'mapping.refused.noColumn' });
    else if (field === '' || field.endsWith(':')) refused.set(id, { key: 'mapping.refused.noField' });
    else if (sameField >= 0)
      refused.set(id, {
        key: 'mapping.refused.field',
        values: { field, column: lines[sameField]?.column ?? '' },
      });
    else if (sameColumn >= 0)
      refused.set(id, {
        key: 'mapping.refused.column',
        values: { column, field: lines[sameColumn]?.field ?? '' },
      });
  }
  return refused;
}

/** The columns that the sheet does not have: they are added where a run may do so. */
export function missingColumns(lines: readonly Line[], headers: readonly string[]): string[] {
  const there = new Set(headers.map((header) => header.trim().toLowerCase()));
  return lines.flatMap(({ column }) =>
    column.trim() === '' || there.has(column.trim().toLowerCase()) ? [] : [column],
  );
}

/** Whether the rows can be told apart: a line has the key, or a column of its own does. */
export function hasKey(lines: readonly Line[], key: string, keyColumn: string): boolean {
  return lines.some(({ field }) => field === key) || keyColumn.trim() !== '';
}
