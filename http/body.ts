import { StringDecoder } from 'node:string_decoder';
import express, { type Request, type RequestHandler } from 'express';
import { Fault } from '../src/errors.ts';
import type { RestTool } from '../tools/contract/define.ts';

/** Largest JSON body, and largest line of a newline-delimited one, in bytes. */
export const BODY_LIMIT = 4 * 1024 * 1024;

/** Reads a JSON body. @throws Fault unsupported_media_type for a body of another type */
export const readJson: RequestHandler = jsonReader(BODY_LIMIT);

/** The same with another limit in bytes. */
export function jsonReader(limit: number): RequestHandler {
  const parseJson = express.json({ limit, strict: false });
  return (req, res, next) => {
    if (hasBody(req) && !req.is(['json', '+json'])) throw new Fault('unsupported_media_type.body');
    parseJson(req, res, next);
  };
}

type Upload = NonNullable<RestTool['rest']['upload']>;

/** Largest file sent as a body, in bytes. */
const UPLOAD_LIMIT = 32 * 1024 * 1024;

const parseFile = express.raw({ limit: UPLOAD_LIMIT, type: () => true, inflate: false });

/**
 * Reads a body that is a file: it becomes the text of one field, in base64.
 * @throws Fault unsupported_media_type.packed, and the upload's own check
 */
export function readFile({ field, check }: Upload): RequestHandler {
  return (req, res, next) => {
    // A little could unpack to the limit, and files are packed already.
    if (isPacked(req)) throw new Fault('unsupported_media_type.packed');
    parseFile(req, res, (error?: unknown) => {
      if (error || !Buffer.isBuffer(req.body)) return next(error);
      try {
        check(req.body);
        req.body = { [field]: req.body.toString('base64') };
        next();
      } catch (fault) {
        next(fault);
      }
    });
  };
}

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
  if (isPacked(req)) throw new Fault('unsupported_media_type.packed');
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

function isPacked({ headers }: Request): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}

function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}
