import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import { Fault } from '../src/errors.ts';
import type { Files, OpenedFile } from '../src/files/files.ts';
import type { ByteRange } from '../src/platform/blobs/blobs.ts';
import { hasTag } from './answer.ts';
import type { Authenticate } from './authentication.ts';
import type { DescribedRoute } from './described-route.ts';

type FileParts = { readonly app: { readonly files: Files }; readonly authenticate: Authenticate };

/** Shown in a browser tab when the link is opened; everything else is saved. */
const SHOWN = new Set(['application/pdf', 'image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** What OpenAPI says of it. */
export const FILE_ROUTE: DescribedRoute = {
  route: 'GET /v1/files/{id}',
  id: 'download_file',
  title: 'Download a file',
  description:
    'A file that an operation made, for whoever has its link or a credential of the account, for a day.',
  tag: 'files',
  credential: 'optional',
  query: { token: 'The secret of the link, which is part of its address' },
  headers: { Range: 'bytes=first-last, for a part of it' },
  answers: {
    200: { about: 'The file, in its own media type', mediaType: '*/*' },
    206: { about: 'The part asked for', mediaType: '*/*' },
    304: { about: 'The same as the one named in If-None-Match' },
    416: { about: 'There is no such part' },
  },
};

/** GET and HEAD /v1/files/{id}: for whoever has the link with its token, or a credential of the account. */
export function createFileRoutes({ app, authenticate }: FileParts): Router {
  const router = Router();
  // The router takes HEAD to the same handler.
  router.get('/v1/files/:id', async (req, res) => {
    const file = await find(app.files, authenticate, req);
    // A file that is another's, expired or was never there is one and the same to the reader.
    if (!file) throw new Fault('not_found.file');
    await send(file, req, res);
  });
  return router;
}

async function find(files: Files, authenticate: Authenticate, req: Request): Promise<OpenedFile | undefined> {
  const id = String(req.params['id']);
  const { token } = req.query;
  const byLink = typeof token === 'string' ? await files.open({ id, token }) : undefined;
  if (byLink) return byLink;
  if (token !== undefined && req.headers.authorization === undefined) return undefined;
  const { accountId } = await authenticate(req);
  return files.open({ id, accountId });
}

async function send(file: OpenedFile, req: Request, res: Response): Promise<void> {
  const range = rangeOf(file, req);
  if (hasTag(req, file.sha256)) {
    describe(file, res, undefined);
    res.removeHeader('Content-Length');
    return void res.status(304).end();
  }
  if (req.method === 'HEAD' || range === 'unsatisfiable') {
    describe(file, res, range);
    return void res.end();
  }
  // Before anything is said of it: the bytes may be gone.
  const opened = await file.read(range);
  if (!opened) throw new Fault('not_found.file');
  describe(file, res, range);
  await pipeline(opened.stream, res).catch((error: NodeJS.ErrnoException) => {
    // A reader who left has no use for an error.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

type RangeAnswer = ByteRange | 'unsatisfiable' | undefined;

/** One range is answered as such. Of many, or of one that cannot be read, the whole is sent, as RFC 9110 allows. */
function rangeOf(file: OpenedFile, req: Request): RangeAnswer {
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

function describe(file: OpenedFile, res: Response, range: RangeAnswer): void {
  res.setHeader('ETag', `"${file.sha256}"`);
  res.setHeader('Accept-Ranges', 'bytes');
  describeBytes(file, res, range);
  res.attachment(file.filename);
  if (SHOWN.has(file.media_type)) {
    const disposition = String(res.getHeader('Content-Disposition'));
    res.setHeader('Content-Disposition', disposition.replace(/^attachment/, 'inline'));
  }
  // Not `res.type`, which would add a charset the bytes may not have.
  res.setHeader('Content-Type', file.media_type);
  const seconds = Math.max(0, Math.floor((Date.parse(file.expires_at) - Date.now()) / 1000));
  res.setHeader('Cache-Control', `private, max-age=${seconds}, immutable`);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  // The address holds the token.
  res.setHeader('Referrer-Policy', 'no-referrer');
  // What others wrote is never run at our own address. Chromium shows no PDF in a sandbox, and runs none here either.
  if (file.media_type !== 'application/pdf') res.setHeader('Content-Security-Policy', 'sandbox');
}

function describeBytes(file: OpenedFile, res: Response, range: RangeAnswer): void {
  if (range === 'unsatisfiable') {
    res.status(416).setHeader('Content-Range', `bytes */${file.bytes}`);
  } else if (range) {
    res.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${file.bytes}`);
    res.setHeader('Content-Length', range.end - range.start + 1);
  } else {
    res.setHeader('Content-Length', file.bytes);
  }
}
