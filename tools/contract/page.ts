import { z } from 'zod';

/** Input of every operation that lists: how many items, and where the page starts. */
export const paging = {
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().max(400).optional(),
};

/** Output of every operation that lists. `next_cursor` is null on the last page. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });
