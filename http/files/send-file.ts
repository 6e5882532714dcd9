import type { Request, Response } from 'express';
import { Fault, type FaultKey } from '../../src/errors.ts';
import type { ByteRange, OpenBlob } from '../../src/platform/blobs/blobs.ts';
import { hasTag } from '../rest/response.ts';
import { setSandbox } from '../security-headers.ts';
import { sendStream } from '../send-stream.ts';

/** A file that the reader may have; nothing of it is open yet. */
export type ServedFile = {
  readonly filename: string;
  readonly media_type: string;
  readonly bytes: number;
  /** In hexadecimal; its tag too. */
  readonly sha256: string;
  /** Answers undefined when the bytes are gone. */
  read(range?: ByteRange): Promise<OpenBlob | undefined>;
  /** What to say then. */
  readonly gone: FaultKey;
};

/** What `sendFile` takes and answers, for the description of its routes. */
export const fileExchange = {
  headers: { Range: 'bytes=first-last, for part of the file' },
  answers: {
    200: { about: 'The file, in its own media type', mediaType: '*/*' },
    206: { about: 'The requested part', mediaType: '*/*' },
    304: { about: 'Unchanged since If-None-Match' },
    416: { about: 'The range is outside the file' },
  },
} as const;

type Manner = {
  /** How long a browser may keep it. What an address stands for never changes. */
  readonly seconds: number;
  /** To be saved, whatever it is. */
  readonly download?: boolean;
  /** Opened with its link: emails and pages of others may embed it. */
  readonly shared: boolean;
  /** At a public address: every cache may keep it, and it is shown in place, whatever it is. */
  readonly anyone?: true;
};

/** Shown in a browser tab when the link is opened; everything else is saved. */
const SHOWN = new Set([
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/webm',
]);

/** Pictures, and what is shown by other means, run nothing; Chromium shows none of these in a sandbox. */
const NEVER_IN_SANDBOX = new Set(['application/pdf', 'video/mp4', 'video/webm']);

/** A drawing may style itself and hold pictures; it loads and runs nothing. */
const INERT = ["default-src 'none'", "style-src 'unsafe-inline'", 'img-src data:', 'sandbox'];

/** Answers GET and HEAD with a file, or the part of it that was asked for. @throws Fault file.gone */
export async function sendFile(file: ServedFile, manner: Manner, req: Request, res: Response): Promise<void> {
  const range = rangeOf(file, req);
  if (hasTag(req, file.sha256)) {
    describe(file, manner, res, undefined);
    res.removeHeader('Content-Length');
    return void res.status(304).end();
  }
  if (req.method === 'HEAD' || range === 'unsatisfiable') {
    describe(file, manner, res, range);
    return void res.end();
  }
  // Before anything is said of it: the bytes may be gone.
  const opened = await file.read(range);
  if (!opened) throw new Fault(file.gone);
  describe(file, manner, res, range);
  await sendStream(opened.stream, res);
}

type RangeAnswer = ByteRange | 'unsatisfiable' | undefined;

/** One range is answered as such. Of many, or of one that cannot be read, the whole is sent, as RFC 9110 allows. */
function rangeOf(file: ServedFile, req: Request): RangeAnswer {
  const condition = req.get('if-range');
  if (req.method !== 'GET' || (condition !== undefined && condition !== `"${file.sha256}"`)) return undefined;
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(req.get('range') ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const end = file.bytes - 1;
  // Without a first byte it is the last so many.
  const range =
    first === ''
      ? { start: Math.max(0, file.bytes - Number(last)), end }
      : { start: Number(first), end: last === '' ? end : Math.min(end, Number(last)) };
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return range.start > end ? 'unsatisfiable' : range;
}

function describe(
  file: ServedFile,
  { seconds, download, shared, anyone }: Manner,
  res: Response,
  range: RangeAnswer,
): void {
  res.setHeader('ETag', `"${file.sha256}"`);
  res.setHeader('Accept-Ranges', 'bytes');
  describeBytes(file, res, range);
  if (anyone) res.setHeader('Content-Disposition', 'inline');
  else res.attachment(file.filename);
  if (!anyone && !download && SHOWN.has(file.media_type)) {
    const disposition = String(res.getHeader('Content-Disposition'));
    res.setHeader('Content-Disposition', disposition.replace(/^attachment/, 'inline'));
  }
  // Not `res.type`, which would add a charset the bytes may not have.
  res.setHeader('Content-Type', file.media_type);
  res.setHeader(
    'Cache-Control',
    `${anyone ? 'public' : 'private'}, max-age=${Math.max(0, seconds)}, immutable`,
  );
  if (shared) res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  // What others wrote is never run at our own address.
  if (NEVER_IN_SANDBOX.has(file.media_type))
    res.setHeader('Content-Security-Policy', "frame-ancestors 'self'");
  else setSandbox(res, anyone ? INERT : undefined);
}

function describeBytes(file: ServedFile, res: Response, range: RangeAnswer): void {
  if (range === 'unsatisfiable') {
    res.status(416).setHeader('Content-Range', `bytes */${file.bytes}`);
  } else if (range) {
    res.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${file.bytes}`);
    res.setHeader('Content-Length', range.end - range.start + 1);
  } else {
    res.setHeader('Content-Length', file.bytes);
  }
}
