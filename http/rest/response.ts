import type { Request, Response } from 'express';
import { z } from 'zod';
import type { RestTool } from '../../tools/contract/define.ts';
import type { Exchange } from '../request.ts';
import { setSandbox } from '../security-headers.ts';

/** The answer of a tool as JSON, or as another body it has when the client asks for that. */
export function send(tool: RestTool, exchange: Exchange, output: unknown): void {
  const { req, res } = exchange;
  const { etag, created, formats, list } = tool.rest;
  // Tools are held without their types; each of these was written for this tool's output.
  const tag = etag?.(output as never);
  if (tag !== undefined) res.setHeader('ETag', `"${tag}"`);
  res.statusCode = created?.(output as never) ? 201 : statusOf(tool);
  if (tag !== undefined && req.method === 'GET' && hasTag(req, tag)) {
    res.statusCode = 304;
    res.end();
    return;
  }
  const format = formats && req.accepts(['application/json', ...Object.keys(formats)]);
  const write = format ? formats?.[format] : undefined;
  const body = write ? write(output as never) : JSON.stringify(list ? linkNext(exchange, output) : output);
  res.setHeader('Content-Type', `${write ? format : 'application/json'}; charset=utf-8`);
  if (write) {
    setWarningsHeader(res, output);
    setSandbox(res);
  }
  const length = Buffer.byteLength(body);
  res.setHeader('Content-Length', length);
  // Most bodies are ASCII, which is much faster to copy as Latin-1, and the same bytes.
  res.end(Buffer.from(body, length === body.length ? 'latin1' : 'utf8'));
}

/** What a tool answers with when all went well. */
export function statusOf({ rest, effect }: RestTool): number {
  return rest.status ?? (effect === 'create' ? 201 : 200);
}

const Warned = z.object({ warnings: z.array(z.object({ code: z.string() })) });

/** Says in a header what the JSON answer would have warned of, by code, where the answer is bytes instead. */
export function setWarningsHeader(res: Response, output: unknown): void {
  const codes = new Set(Warned.safeParse(output).data?.warnings.map(({ code }) => code));
  if (codes.size > 0) res.setHeader('X-Warnings', [...codes].join(', '));
}

/** True when the client already has what the tag stands for. */
export function hasTag(req: Request, tag: string): boolean {
  const known = req.get('if-none-match')?.split(',') ?? [];
  return known.some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === `"${tag}"`);
}

const Listed = z.object({ items: z.array(z.unknown()), next_cursor: z.string().nullable() });

/**
 * A page as a plain array. Where there are more, a `Link` header (RFC 8288) holds the address of the next page: the one
 * of this request, with the cursor to go on from.
 */
function linkNext({ req, res, baseUrl }: Exchange, output: unknown): unknown[] {
  const { items, next_cursor: cursor } = Listed.parse(output);
  if (cursor === null) return items;
  const next = new URL(req.originalUrl, 'http://localhost');
  next.searchParams.set('cursor', cursor);
  res.setHeader('Link', `<${baseUrl}${next.pathname}${next.search}>; rel="next"`);
  return items;
}
