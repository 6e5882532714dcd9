import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { Fault } from '../src/errors.ts';

/** Largest JSON body, and largest line of a newline-delimited one, in bytes. */
export const BODY_LIMIT = 4 * 1024 * 1024;

/** Reads a JSON body. @throws Fault unsupported_media_type for a body of another type */
export const readJson: RequestHandler = jsonReader(BODY_LIMIT);

/** The same with another limit in bytes. */
export function jsonReader(limit: number): RequestHandler {
  const parseJson = express.json({ limit, strict: false, verify: requireUtf8 });
  return (req, res, next) => {
    if (hasBody(req) && !req.is(['json', '+json'])) throw new Fault('unsupported_media_type.body');
    parseJson(req, res, next);
  };
}

/** The parser would put U+FFFD in the place of bytes it cannot read. What is thrown here, it changes. */
function requireUtf8(_req: unknown, _res: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw Object.assign(new Error('not UTF-8'), { type: NOT_UTF8 });
}

/** `type` of the error for a body that is not UTF-8. */
export const NOT_UTF8 = 'body.not_utf8';

export function isNdjson(req: Request): boolean {
  return req.is('application/x-ndjson') !== false && hasBody(req);
}

/**
 * The values of a newline-delimited JSON body as they arrive, never all at once. A line that is not JSON comes as the
 * Fault that says so, for the reader to answer in its place.
 * @throws Fault too_large for a line over BODY_LIMIT
 */
export async function* readNdjson(req: Request): AsyncGenerator<unknown> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  if (isPacked(req)) throw new Fault('unsupported_media_type.packed');
  // Ending early must not cut the connection: the last answers are still to be read over it.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    let bytes = Buffer.concat([rest, chunk as Buffer]);
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
      number++;
      const line = bytes.subarray(0, end);
      if (!isBlank(line)) yield parseLine(line, number);
      bytes = bytes.subarray(end + 1);
    }
    rest = bytes;
    if (rest.length > BODY_LIMIT) throw new Fault('too_large.body', { limit: BODY_LIMIT });
  }
  if (!isBlank(rest)) yield parseLine(rest, number + 1);
}

const NEWLINE = 0x0a;

function isBlank(line: Buffer): boolean {
  return line.toString('latin1').trim() === '';
}

function parseLine(bytes: Buffer, number: number): unknown {
  if (!isUtf8(bytes)) return new Fault('invalid_json.utf8');
  const line = bytes.toString();
  try {
    return JSON.parse(number === 1 ? line.replace(/^\uFEFF/, '') : line);
  } catch (error) {
    return new Fault('invalid_json.line', {
      line: number,
      reason: error instanceof Error ? error.message : '',
    });
  }
}

export function isPacked({ headers }: Request): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}

function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}
