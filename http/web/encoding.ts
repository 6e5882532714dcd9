import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** The smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** For pages that are made at each request: smaller than gzip in the same time. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The smallest form that the caller takes. A browser names gzip before Brotli, but prefers neither. */
export function encodingFor(req: Request, isThere = (_: Encoding) => true): Encoding | undefined {
  return ENCODINGS.find((one) => isThere(one) && req.acceptsEncodings([one]) === one);
}

/** Ends the answer with a page, compressed as the caller takes it. No secret in it outlives the answer, so its length tells nothing. */
export function sendPage(req: Request, res: Response, page: string): void {
  const encoding = encodingFor(req);
  if (encoding) res.set('Content-Encoding', encoding);
  res.vary('Accept-Encoding');
  if (req.method === 'HEAD') res.end();
  else res.end(encoding === 'br' ? brotliCompressSync(page, QUICK) : encoding ? gzipSync(page) : page);
}
