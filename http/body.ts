import { StringDecoder } from 'node:string_decoder';
import express, { type Request, type RequestHandler } from 'express';
import { Fault } from '../src/errors.ts';

/** Largest JSON body, and largest line of a newline-delimited one, in bytes. */
export const BODY_LIMIT = 4 * 1024 * 1024;

const parseJson = express.json({ limit: BODY_LIMIT, strict: false });

/** Reads a JSON body. @throws Fault unsupported_media_type for a body of another type */
export const readJson: RequestHandler = (req, res, next) => {
  if (hasBody(req) && !req.is(['json', '+json'])) throw new Fault('unsupported_media_type.body');
  parseJson(req, res, next);
};

export function isNdjson(req: Request): boolean {
  return req.is('application/x-ndjson') !== false && hasBody(req);
}

/**
 * The values of a newline-delimited JSON body as they arrive, never all at once. A line that is not JSON comes as the
 * Fault that says so, for the reader to answer in its place.
 * @throws Fault too_large for a line over BODY_LIMIT
 */
export async function* readNdjson(req: Request): AsyncGenerator<unknown> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let number = 0;
  if (req.headers['content-encoding'] !== undefined) throw new Fault('unsupported_media_type.encoding');
  // Ending early must not cut the connection: the last answers are still to be read over it.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      number++;
      if (line.trim() !== '') yield parseLine(line, number);
    }
    if (rest.length > BODY_LIMIT) throw new Fault('too_large.body', { limit: BODY_LIMIT });
  }
  const last = rest + decoder.end();
  if (last.trim() !== '') yield parseLine(last, number + 1);
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(number === 1 ? line.replace(/^\uFEFF/, '') : line);
  } catch (error) {
    return new Fault('invalid_json.line', {
      line: number,
      reason: error instanceof Error ? error.message : '',
    });
  }
}

function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}
