import { z } from 'zod';
import type { Exchange } from '../request.ts';

const Listed = z.object({ items: z.array(z.unknown()), next_cursor: z.string().optional() });

/**
 * A page as a plain array. Where there are more, a `Link` header (RFC 8288) holds the address of the next page: the one
 * of this request, with the cursor to go on from.
 */
export function linkNext({ req, res, baseUrl }: Exchange, output: unknown): unknown[] {
  const { items, next_cursor: cursor } = Listed.parse(output);
  if (cursor === undefined) return items;
  const next = new URL(req.originalUrl, 'http://localhost');
  next.searchParams.set('cursor', cursor);
  res.setHeader('Link', `<${baseUrl}${next.pathname}${next.search}>; rel="next"`);
  return items;
}
