import { z } from 'zod';

/** Where a tab has what. Rows count from 1, columns from 0. */
export const Layout = z.object({
  tab: z.object({ title: z.string(), id: z.number().nullable() }),
  header_row: z.number(),
  /** The tab is empty: the first write puts the header there. */
  writes_header: z.boolean(),
  /** The column of each mapping, in their order. */
  columns: z.array(z.number()),
  key_column: z.number(),
  /** The column that says how each row fared, where there is one. */
  status_column: z.number().nullable(),
  /** Rows the tab has values in. */
  used_rows: z.number(),
});
export type Layout = z.output<typeof Layout>;
